package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the calls of a file system cost in RADOS operations, all of the client's counted. */
class CountedOpsTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    fs = FileSystem.get(URI.create("rados://p/"), conf);
    // The first file of a process also enters it in the list of ledgers.
    write("/first/file");
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private interface Call {
    void run() throws IOException;
  }

  private int ops(Call call) throws IOException {
    int before = cluster.client("client.admin").ops();
    call.run();
    return cluster.client("client.admin").ops() - before;
  }

  private void write(String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), false)) {
      out.write('x');
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 40})
  void aLookUpIsOneReadAtAnyDepth(int depth) throws IOException {
    String directory = "/d".repeat(depth);
    write(directory + "/f");
    assertThat(ops(() -> fs.getFileStatus(new Path(directory + "/f")))).isEqualTo(1);
    assertThat(ops(() -> fs.exists(new Path(directory + "/none")))).isEqualTo(1);
    assertThat(ops(() -> fs.open(new Path(directory + "/f")).close())).isEqualTo(1);
    if (depth > 0) {
      assertThat(ops(() -> fs.getFileStatus(new Path(directory)))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1024, 1", "1025, 2", "2048, 2", "2049, 3"})
  void aListingIsOneReadForEach1024(int files, int reads) throws IOException {
    for (int i = 0; i < files; i++) {
      write("/many/" + i);
    }
    assertThat(ops(() -> assertThat(fs.listStatus(new Path("/many"))).hasSize(files)))
        .isEqualTo(reads);
  }

  /** A look, the ledger (I4), the data and the entry. Crossing out in the ledger costs none. */
  @Test
  void aSmallFileIsFourOperations() throws IOException {
    int files = 100;
    int ops =
        ops(
            () -> {
              for (int i = 0; i < files; i++) {
                write("/first/" + i);
              }
            });
    assertThat(ops).isEqualTo(4 * files);
  }

  @Test
  void aRenameWithinADirectoryIsAReadAndAWrite() throws IOException {
    write("/first/a");
    assertThat(
            ops(() -> assertThat(fs.rename(new Path("/first/a"), new Path("/first/b"))).isTrue()))
        .isEqualTo(2);
  }

  /** The first file beyond the threshold has the directory counted and split. */
  @Test
  void aDirectoryWithShardsCostsTheSame() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.setInt("fs.rados.directory.threshold", 64);
    conf.setInt("fs.rados.directory.shards", 4);
    try (FileSystem small = FileSystem.newInstance(URI.create("rados://p/"), conf)) {
      small.mkdirs(new Path("/large"));
      for (int i = 0; i < 200; i++) {
        small.create(new Path("/large/" + i), false).close();
      }
      assertThat(cluster.objects("p", "").keySet())
          .filteredOn(name -> name.startsWith("large//shard/"))
          .hasSize(4)
          .allMatch(name -> cluster.objects("p", "").get(name).omap().size() < 80);
      assertThat(cluster.objects("p", "").get("large/").omap().keySet())
          .noneMatch(key -> key.startsWith("e/"));
      assertThat(ops(() -> small.getFileStatus(new Path("/large/7")))).isEqualTo(1);
      assertThat(ops(() -> small.exists(new Path("/large/none")))).isEqualTo(1);
      // A look, the ledger and the entry: an empty file has no data.
      assertThat(ops(() -> small.create(new Path("/large/more"), false).close())).isEqualTo(4);
      // The head, then of each shard the marks, then the names.
      assertThat(ops(() -> assertThat(small.listStatus(new Path("/large"))).hasSize(201)))
          .isEqualTo(1 + 4 + 4);
      // One after another, a shard is read when its turn comes.
      assertThat(ops(() -> small.listStatusIterator(new Path("/large")).next()))
          .isEqualTo(1 + 4 + 1);
    }
    // A client that meets it first asks the head object once.
    assertThat(ops(() -> fs.getFileStatus(new Path("/large/7")))).isEqualTo(2);
    assertThat(ops(() -> fs.getFileStatus(new Path("/large/8")))).isEqualTo(1);
  }
}
