// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where Hadoop is told that blocks are, and how much room there is. */
class PlacesAndRoomTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("p", "hot").setHosts("h0", "h1", "h2");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final Path file = new Path("/d/f");
  private RadosFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    conf.set("fs.rados.block.size", "4K");
    fs = (RadosFileSystem) FileSystem.newInstance(URI.create("rados://p/"), conf);
    write(file, 10_000);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(Path path, int bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(new byte[bytes]);
    }
  }

  private static void assertThreeBlocks(BlockLocation[] blocks) throws IOException {
    assertThat(blocks).hasSize(3);
    for (BlockLocation block : blocks) {
      assertThat(block.getHosts()).isNotEmpty().isSubsetOf("h0", "h1", "h2");
      assertThat(block.getNames()[0]).isEqualTo(block.getHosts()[0] + ":6800");
    }
    assertThat(blocks[2].getOffset()).isEqualTo(8192);
    assertThat(blocks[2].getLength()).isEqualTo(10_000 - 8192);
  }

  @Test
  void blocksHaveTheHostsOfTheirObjects() throws Exception {
    FileStatus status = fs.getFileStatus(file);
    int before = cluster.client("client.admin").ops();
    assertThreeBlocks(fs.getFileBlockLocations(status, 0, status.getLen()));
    assertThat(cluster.client("client.admin").ops()).isEqualTo(before);
    assertThreeBlocks(fs.listLocatedStatus(file.getParent()).next().getBlockLocations());
    assertThreeBlocks(fs.listFiles(file.getParent(), true).next().getBlockLocations());
    assertThreeBlocks(fs.getFileBlockLocations(file, 0, status.getLen()));
    assertThreeBlocks(
        fs.getFileBlockLocations(new FileStatus(10_000, false, 1, 4096, 0, file), 0, 10_000));
    FileContext context = FileContext.getFileContext(URI.create("rados://p/"), conf);
    assertThreeBlocks(context.getFileBlockLocations(file, 0, status.getLen()));
    assertThat(fs.getFileBlockLocations(status, 5000, 10)).hasSize(1);
  }

  /** An engine that is told to ignore where data is asks whether a status knows it. */
  @Test
  void locationsAreThereOnlyWhereTheyWereAskedFor() throws Exception {
    assertThat(fs.getFileStatus(file)).isNotInstanceOf(LocatedFileStatus.class);
    assertThat(fs.listStatus(file.getParent())[0]).isNotInstanceOf(LocatedFileStatus.class);
    assertThat(fs.listStatusIterator(file.getParent()).next())
        .isNotInstanceOf(LocatedFileStatus.class);
    assertThat(fs.globStatus(new Path("/d/*"))[0]).isNotInstanceOf(LocatedFileStatus.class);
    fs.mkdirs(new Path("/d/a"));
    assertThat(fs.listLocatedStatus(file.getParent()).next().getBlockLocations()).isEmpty();
  }

  /** Spark's executors send what they list to the driver. */
  @Test
  void locationsSurviveSerialization() throws Exception {
    LocatedFileStatus sent =
        copied(fs.listLocatedStatus(file.getParent()).next(), LocatedFileStatus.class);
    assertThreeBlocks(sent.getBlockLocations());
    assertThat(((EtagSource) sent).getEtag())
        .isEqualTo(((EtagSource) fs.getFileStatus(file)).getEtag());
    FileStatus status = copied(fs.getFileStatus(file), FileStatus.class);
    assertThat(((EtagSource) status).getEtag()).isEqualTo(((EtagSource) sent).getEtag());
    assertThreeBlocks(fs.getFileBlockLocations(status, 0, status.getLen()));
  }

  private static <T> T copied(Object value, Class<T> type) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return type.cast(in.readObject());
    }
  }

  @Test
  void whatHasNoBlocksHasNone() throws IOException {
    FileStatus status = fs.getFileStatus(file);
    assertThat(fs.getFileBlockLocations((FileStatus) null, 0, 1)).isNull();
    assertThat(fs.getFileBlockLocations(status, 10_000, 1)).isEmpty();
    assertThat(fs.getFileBlockLocations(fs.getFileStatus(file.getParent()), 0, 1)).isEmpty();
    assertThatThrownBy(() -> fs.getFileBlockLocations(status, -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fs.getFileBlockLocations(status, 0, -1))
        .isInstanceOf(IllegalArgumentException.class);
    FileStatus gone = new FileStatus(5, false, 1, 1, 0, new Path("/d/none"));
    assertThatThrownBy(() -> fs.getFileBlockLocations(gone, 0, 5))
        .isInstanceOf(FileNotFoundException.class);
    write(new Path("/d/empty"), 0);
    assertThat(fs.getFileBlockLocations(new Path("/d/empty"), 0, 1)).isEmpty();
  }

  @Test
  void whereNobodyTellsAFileIsNowhereInParticular() throws IOException {
    cluster.setHosts();
    FileStatus status = fs.getFileStatus(file);
    BlockLocation[] blocks = fs.getFileBlockLocations(status, 0, status.getLen());
    assertThat(blocks).hasSize(1);
    assertThat(blocks[0].getHosts()).containsExactly("localhost");
    assertThat(blocks[0].getLength()).isEqualTo(10_000);
  }

  @Test
  void nobodyIsAskedWhereThatIsOfNoUse() throws IOException {
    Configuration quiet = new Configuration(conf);
    quiet.setBoolean("fs.rados.block.hosts", false);
    try (FileSystem other = FileSystem.newInstance(URI.create("rados://p/"), quiet)) {
      assertThat(other.getFileBlockLocations(file, 0, 10_000)).hasSize(1);
    }
    assertThat(cluster.monitorCommands()).isZero();
  }

  @Test
  void roomIsThatOfThePoolThatNewFilesGoTo() throws IOException {
    long used = fs.getStatus().getUsed();
    assertThat(used).isGreaterThanOrEqualTo(10_000);
    cluster.setQuota("hot", 5_000);
    DataLayout unused =
        fs.mount()
            .layouts()
            .change(FsPath.parse("/d"), before -> before.withPool(Optional.of("hot")));
    // Begun without a look, as this process has just made a file there: the last by the old layout.
    write(new Path("/d/last"), 0);
    write(new Path("/d/g"), 1_000);
    FsStatus there = fs.getStatus(new Path("/d/not/made/yet"));
    assertThat(there.getRemaining()).isEqualTo(4_000);
    assertThat(there.getUsed()).isEqualTo(used + 1_000);
    assertThat(there.getCapacity()).isEqualTo(there.getUsed() + 4_000);
    assertThat(fs.getStatus(file).getRemaining()).isEqualTo(4_000);
    assertThat(fs.getStatus().getRemaining()).isGreaterThan(1 << 30);
    cluster.removePool("hot");
    assertThatThrownBy(fs::getStatus)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.POOL_GONE));
    assertThat(fs.getStatus().getUsed()).isEqualTo(used);
  }

  @Test
  void beyondAQuotaNothingAppearsAndNothingIsLeft() throws IOException {
    cluster.setQuota("p", 12_000);
    assertThatThrownBy(() -> write(new Path("/d/g"), 5_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("quota");
    assertThat(fs.exists(new Path("/d/g"))).isFalse();
    assertThat(cluster.objects("p", "").keySet()).noneMatch(name -> name.startsWith("d/g"));
  }
}
