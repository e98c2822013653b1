// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.CrcUtil;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of a file beside its bytes. */
class MetadataTest {

  private static final EnumSet<XAttrSetFlag> CREATE = EnumSet.of(XAttrSetFlag.CREATE);
  private static final EnumSet<XAttrSetFlag> REPLACE = EnumSet.of(XAttrSetFlag.REPLACE);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final Path file = new Path("/d/f");
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    fs = FileSystem.get(URI.create("rados://p/"), conf);
    write(file, new byte[] {1});
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(Path path, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(path, true)) {
      out.write(content);
    }
  }

  private int ops() {
    return cluster.client("client.admin").ops();
  }

  @Test
  void extendedAttributesAreSetReadAndRemoved() throws IOException {
    byte[] bytes = {0, -1, '=', ' ', 10};
    fs.setXAttr(file, "user.a", bytes);
    fs.setXAttr(file, "User.ü = b", new byte[0]);
    fs.setXAttr(file, "trusted.c", null);
    assertThat(fs.getXAttr(file, "user.a")).isEqualTo(bytes);
    assertThat(fs.listXAttrs(file)).containsExactly("trusted.c", "user.a", "user.ü = b");
    assertThat(fs.getXAttrs(file)).containsOnlyKeys("trusted.c", "user.a", "user.ü = b");
    assertThat(fs.getXAttrs(file, List.of("USER.a")).get("user.a")).isEqualTo(bytes);
    fs.removeXAttr(file, "user.a");
    assertThat(fs.listXAttrs(file)).containsExactly("trusted.c", "user.ü = b");
    assertThat(fs.getXAttr(file, "trusted.c")).isEmpty();

    assertThatThrownBy(() -> fs.getXAttr(file, "user.a"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no extended attribute user.a");
    assertThatThrownBy(() -> fs.getXAttrs(file, List.of("trusted.c", "user.a")))
        .hasMessageContaining("user.a");
    assertThatThrownBy(() -> fs.removeXAttr(file, "user.a")).hasMessageContaining("user.a");
    assertThatThrownBy(() -> fs.listXAttrs(new Path("/none")))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> fs.setXAttr(new Path("/"), "user.a", bytes))
        .isInstanceOf(PathIOException.class);
    assertThat(fs.listXAttrs(new Path("/"))).isEmpty();
  }

  /** As Spark's rolling event log does for every file. */
  @Test
  void aFileThatIsBeingWrittenTakesThePermissionThatIsSetBeforeItIsClosed() throws IOException {
    FsPermission secret = new FsPermission((short) 0600);
    Path fresh = new Path("/d/fresh");
    for (Path path : List.of(fresh, file)) {
      try (FSDataOutputStream out = FileSystem.create(fs, path, secret)) {
        out.write(1);
      }
      assertThat(fs.getFileStatus(path).getPermission()).isEqualTo(secret);
    }
    fs.delete(fresh, false);
    assertThatThrownBy(() -> fs.setPermission(fresh, secret))
        .as("what is closed is no longer being written")
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void flagsAreHdfss() throws IOException {
    assertThatThrownBy(() -> fs.setXAttr(file, "user.a", new byte[] {1}, REPLACE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("CREATE flag");
    fs.setXAttr(file, "user.a", new byte[] {1}, CREATE);
    assertThatThrownBy(() -> fs.setXAttr(file, "user.a", new byte[] {2}, CREATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("REPLACE flag");
    fs.setXAttr(file, "user.a", new byte[] {3}, REPLACE);
    assertThat(fs.getXAttr(file, "user.a")).containsExactly(3);
  }

  @Test
  void aNameWithoutNamespaceIsRefusedBeforeAnyOperation() {
    int before = ops();
    for (String name : new String[] {"header.x-hadoop-s3a-magic-data-length", "a", "user.", ""}) {
      assertThatThrownBy(() -> fs.getXAttr(file, name))
          .isInstanceOf(HadoopIllegalArgumentException.class);
      assertThatThrownBy(() -> fs.setXAttr(file, name, new byte[1]))
          .isInstanceOf(HadoopIllegalArgumentException.class);
    }
    assertThat(ops()).isEqualTo(before);
  }

  @Test
  void extendedAttributesTogetherAreBounded() throws IOException {
    byte[] half = new byte[Xattrs.MAX_BYTES / 2];
    fs.setXAttr(file, "user.a", half);
    assertThatThrownBy(() -> fs.setXAttr(file, "user.b", half))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("16384")
        .hasMessageContaining("Remove others");
    assertThat(fs.listXAttrs(file)).containsExactly("user.a");
  }

  @Test
  void oneIsReadInOneOperationAndSetInTwo() throws IOException {
    int before = ops();
    fs.setXAttr(file, "user.a", new byte[] {1});
    assertThat(ops() - before).isEqualTo(2);
    before = ops();
    assertThat(fs.getXAttr(file, "user.a")).containsExactly(1);
    assertThat(ops() - before).isEqualTo(1);
  }

  /** The answer to the change is lost: it is neither made twice nor taken for another's. */
  @Test
  void aLostAnswerToCreateIsNoConflict() throws IOException {
    cluster.client("client.admin").faults().atOp(ops() + 2, Fault.LOSE_ANSWER);
    fs.setXAttr(file, "user.a", new byte[] {1}, CREATE);
    assertThat(fs.getXAttr(file, "user.a")).containsExactly(1);
  }

  @Test
  void allIsKeptThroughRenames() throws IOException {
    fs.setXAttr(file, "user.a", new byte[] {1});
    fs.setXAttr(file.getParent(), "user.dir", new byte[] {2});
    fs.setPermission(file, new FsPermission("640"));
    fs.setOwner(file, "me", "us");
    fs.setTimes(file, 123_000, -1);
    FileChecksum checksum = fs.getFileChecksum(file);
    fs.mkdirs(new Path("/e"));
    for (String[] step :
        new String[][] {{"/d/f", "/d/g"}, {"/d/g", "/e/g"}, {"/e/g", "/d/f"}, {"/d", "/e/d"}}) {
      assertThat(fs.rename(new Path(step[0]), new Path(step[1]))).isTrue();
    }
    Path moved = new Path("/e/d/f");
    FileStatus status = fs.getFileStatus(moved);
    assertThat(status.getPermission()).isEqualTo(new FsPermission("640"));
    assertThat(status.getOwner() + " " + status.getGroup()).isEqualTo("me us");
    assertThat(status.getModificationTime()).isEqualTo(123_000);
    assertThat(fs.getXAttr(moved, "user.a")).containsExactly(1);
    assertThat(fs.getXAttr(moved.getParent(), "user.dir")).containsExactly(2);
    assertThat(fs.getFileChecksum(moved)).isEqualTo(checksum);
    write(moved, new byte[] {5});
    assertThat(fs.listXAttrs(moved)).as("of a file written anew").isEmpty();
  }

  @Test
  void fileContextDoesTheSame() throws IOException {
    conf.set("fs.AbstractFileSystem.rados.impl", RadosFs.class.getName());
    FileContext context = FileContext.getFileContext(URI.create("rados://p/"), conf);
    context.setXAttr(file, "user.a", new byte[] {1});
    assertThat(context.getXAttr(file, "user.a")).containsExactly(1);
    assertThat(context.getXAttrs(file, List.of("user.a"))).hasSize(1);
    assertThat(context.listXAttrs(file)).containsExactly("user.a");
    context.removeXAttr(file, "user.a");
    assertThat(context.getXAttrs(file)).isEmpty();
    assertThat(context.getFileChecksum(file)).isEqualTo(fs.getFileChecksum(file));
  }

  /** As HDFS makes it: CRCs of 512 bytes composed to blocks', those to the file's. */
  @Test
  void checksumsEqualHdfss() throws IOException {
    for (int length : new int[] {1, 512, 5_000, 70_000}) {
      byte[] content = new byte[length];
      new Random(length).nextBytes(content);
      write(file, content);
      FileChecksum checksum = fs.getFileChecksum(file);
      assertThat(checksum.getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
      assertThat(checksum).as("%d bytes", length).isEqualTo(hdfs(content, 16 << 10));
      assertThat(fs.getFileChecksum(file, length)).isEqualTo(checksum);
    }
    assertThat(fs.getFileChecksum(file, 1)).isNull();
    assertThatThrownBy(() -> fs.getFileChecksum(file.getParent()))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.FS_CHECKSUMS)).isTrue();
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.FS_XATTRS)).isTrue();
  }

  private static FileChecksum hdfs(byte[] content, int blockSize) throws IOException {
    DataChecksum.Type type = DataChecksum.Type.CRC32C;
    CrcComposer ofFile = CrcComposer.newCrcComposer(type, blockSize);
    for (int block = 0; block < content.length; block += blockSize) {
      int end = Math.min(block + blockSize, content.length);
      CrcComposer ofBlock = CrcComposer.newCrcComposer(type, 512);
      for (int at = block; at < end; at += 512) {
        int count = Math.min(512, end - at);
        DataChecksum chunk = DataChecksum.newDataChecksum(type, 512);
        chunk.update(content, at, count);
        ofBlock.update((int) chunk.getValue(), count);
      }
      ofFile.update(CrcUtil.readInt(ofBlock.digest(), 0), end - block);
    }
    return new CompositeCrcFileChecksum(CrcUtil.readInt(ofFile.digest(), 0), type, 512);
  }

  @Test
  void treesAreListedAndSummedUpWithoutLookUps() throws IOException {
    for (int i = 0; i < 20; i++) {
      write(new Path("/t/d" + i + "/f"), new byte[i]);
    }
    write(new Path("/t/g"), new byte[7]);
    int before = ops();
    List<String> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> iterator = fs.listFiles(new Path("/t"), true);
    while (iterator.hasNext()) {
      files.add(iterator.next().getPath().toUri().getPath());
    }
    assertThat(files).hasSize(21).doesNotHaveDuplicates().contains("/t/g", "/t/d19/f");
    assertThat(ops() - before).isEqualTo(21);
    assertThat(fs.listFiles(new Path("/t"), false).next().getPath().getName()).isEqualTo("g");
    assertThat(fs.listFiles(new Path("/t/g"), true).next().getLen()).isEqualTo(7);
    assertThatThrownBy(() -> fs.listFiles(new Path("/none"), true))
        .isInstanceOf(FileNotFoundException.class);

    before = ops();
    ContentSummary summary = fs.getContentSummary(new Path("/t"));
    assertThat(ops() - before).isEqualTo(22);
    assertThat(summary.getLength()).isEqualTo(190 + 7);
    assertThat(summary.getFileCount()).isEqualTo(21);
    assertThat(summary.getDirectoryCount()).isEqualTo(21);
    ContentSummary ofFile = fs.getContentSummary(new Path("/t/g"));
    assertThat(ofFile.getLength()).isEqualTo(7);
    assertThat(ofFile.getFileCount()).isEqualTo(1);
    assertThat(ofFile.getDirectoryCount()).isZero();
    assertThatThrownBy(() -> fs.getContentSummary(new Path("/none")))
        .isInstanceOf(FileNotFoundException.class);
  }

  /** What {@code hadoop fs -rm} does where {@code fs.trash.interval} is set. */
  @Test
  void trashTakesWhatIsRemovedAndLetsGoOfItLater() throws IOException {
    conf.set("fs.trash.interval", "10");
    assertThat(Trash.moveToAppropriateTrash(fs, file, conf)).isTrue();
    assertThat(fs.exists(file)).isFalse();
    Path trashed = Path.mergePaths(new Path(fs.getTrashRoot(file), "Current"), file);
    assertThat(fs.getFileStatus(trashed).getLen()).isEqualTo(1);
    assertThat(fs.getTrashRoots(false)).hasSize(1);
    write(file, "again".getBytes(UTF_8));
    assertThat(Trash.moveToAppropriateTrash(fs, file, conf)).isTrue();
    List<Long> lengths = new ArrayList<>();
    Arrays.stream(fs.listStatus(trashed.getParent())).forEach(s -> lengths.add(s.getLen()));
    assertThat(lengths).containsExactlyInAnyOrder(1L, 5L);
    Trash trash = new Trash(fs, conf);
    trash.checkpoint();
    trash.expungeImmediately();
    assertThat(fs.listStatus(fs.getTrashRoot(file))).isEmpty();
  }
}
