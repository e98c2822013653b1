// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.data.SyncRequests;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedClient.Access;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RadosFileSystemTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("my_pool", "Case").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    fs = FileSystem.get(URI.create("rados://team@my_pool/"), conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(String path, String content) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private String read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void serviceLoaderFindsIt() {
    assertThat(fs).isInstanceOf(RadosFileSystem.class);
    assertThat(fs.getUri().toString()).isEqualTo("rados://team@my_pool");
    assertThat(fs.getCanonicalServiceName()).isNull();
  }

  @Test
  void writesAndReadsUnderTheFinalName() throws IOException {
    String content = "0123456789".repeat(250);
    write("/a/b c/ü:1", content);
    assertThat(read("rados://team@my_pool/a/b c/ü:1")).isEqualTo(content);
    assertThat(cluster.objects("my_pool", "team")).containsKey("a/b c/ü:1");
    FileStatus status = fs.getFileStatus(new Path("/a/b c/ü:1"));
    assertThat(status.getLen()).isEqualTo(2500);
    assertThat(status.getPath().toString()).isEqualTo("rados://team@my_pool/a/b c/ü:1");
    assertThat(status.getBlockSize()).isEqualTo(64L << 20);
    assertThat(status.getReplication()).isEqualTo((short) 1);
    assertThat(fs.getFileBlockLocations(status, 0, 2500)).hasSize(1);
  }

  @Test
  void namespacesDoNotSeeEachOther() throws IOException {
    write("/f", "x");
    try (FileSystem other = FileSystem.get(URI.create("rados://my_pool/"), conf)) {
      assertThat(other.exists(new Path("/f"))).isFalse();
    }
  }

  @Test
  void checkPathIsExact() throws IOException {
    Path file = new Path("rados://team@my_pool/x");
    assertThat(fs.makeQualified(new Path("x")).toString()).startsWith("rados://team@my_pool/user/");
    assertThat(fs.exists(file)).isFalse();
    for (String wrong :
        new String[] {
          "rados://my_pool/x", "rados://team@other_pool/x", "rados://team@My_pool/x", "hdfs://a/x"
        }) {
      assertThatThrownBy(() -> fs.exists(new Path(wrong)))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Wrong FS");
    }
  }

  @Test
  void createFollowsItsFlags() throws IOException {
    write("/f", "1");
    Path file = new Path("/f");
    assertThatThrownBy(() -> fs.create(file, false)).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> fs.create(new Path("/"), true))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> fs.createFile(new Path("/none/g")).build())
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(
            () ->
                fs.create(
                    new Path("/none"),
                    FsPermission.getFileDefault(),
                    EnumSet.of(CreateFlag.OVERWRITE),
                    0,
                    (short) 1,
                    1,
                    null,
                    null))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> fs.append(file))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("written once");
    try (FSDataOutputStream out = fs.createFile(file).overwrite(true).build()) {
      out.write('2');
    }
    assertThat(read("/f")).isEqualTo("2");
  }

  @Test
  void umaskIsAppliedOnce() throws IOException {
    fs.getConf().set("fs.permissions.umask-mode", "027");
    write("/d/f", "x");
    assertThat(fs.getFileStatus(new Path("/d/f")).getPermission().toShort())
        .isEqualTo((short) 0640);
    fs.mkdirs(new Path("/e"), new FsPermission("777"));
    assertThat(fs.getFileStatus(new Path("/e")).getPermission().toShort()).isEqualTo((short) 0750);
  }

  @Test
  void renameIsHdfss() throws IOException {
    write("/d/f", "f");
    write("/d/g", "g");
    fs.mkdirs(new Path("/e/sub"));
    assertThat(rename("/none", "/x")).isFalse();
    assertThat(rename("/none", "/e")).isFalse();
    assertThat(rename("/", "/x")).isFalse();
    assertThat(rename("/d/f", "/d/f")).isTrue();
    assertThat(rename("/d", "/d")).isFalse();
    assertThat(rename("/d", "/d/sub")).isFalse();
    assertThat(rename("/d/f", "/d/g")).isFalse();
    assertThat(rename("/d/f", "/none/f")).isFalse();
    assertThat(rename("/d/f", "/d")).as("into its own directory").isTrue();
    assertThat(rename("/d/f", "/e")).isTrue();
    assertThat(read("/e/f")).isEqualTo("f");
    write("/d/f", "again");
    assertThat(rename("/d/f", "/e")).as("/e/f is there").isFalse();
    assertThat(rename("/d", "/e/sub")).isTrue();
    assertThat(read("/e/sub/d/f")).isEqualTo("again");
    assertThat(rename("/e/sub/d/g", "/")).isTrue();
    assertThat(read("/g")).isEqualTo("g");
    assertThat(rename("/e/sub", "/h")).isTrue();
    assertThat(read("/h/d/f")).isEqualTo("again");
  }

  private boolean rename(String source, String destination) throws IOException {
    return fs.rename(new Path(source), new Path(destination));
  }

  @Test
  void listingsAgree() throws IOException {
    write("/d/b", "x");
    write("/d/a", "xy");
    fs.mkdirs(new Path("/d/c"));
    FileStatus[] all = fs.listStatus(new Path("/d"));
    assertThat(Arrays.stream(all).map(s -> s.getPath().getName())).containsExactly("a", "b", "c");
    List<FileStatus> iterated = new ArrayList<>();
    RemoteIterator<FileStatus> iterator = fs.listStatusIterator(new Path("/d"));
    while (iterator.hasNext()) {
      iterated.add(iterator.next());
    }
    assertThat(iterated).containsExactly(all);
    RemoteIterator<LocatedFileStatus> located = fs.listLocatedStatus(new Path("/d"));
    assertThat(located.next().getBlockLocations()).hasSize(1);
    assertThat(fs.listStatus(new Path("/d/a"))).hasSize(1);
    assertThatThrownBy(() -> fs.listStatus(new Path("/none")))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void theRootStays() throws IOException {
    assertThat(fs.delete(new Path("/"), true)).isTrue();
    write("/f", "x");
    assertThatThrownBy(() -> fs.delete(new Path("/"), false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(read("/f")).isEqualTo("x");
    assertThat(fs.delete(new Path("/"), true)).isTrue();
    assertThat(fs.listStatus(new Path("/"))).isEmpty();
    assertThat(fs.getFileStatus(new Path("/")).isDirectory()).isTrue();
    assertThat(fs.delete(new Path("/none"), true)).isFalse();
  }

  @Test
  void attributesAreKept() throws IOException {
    write("/f", "x");
    Path file = new Path("/f");
    fs.setPermission(file, new FsPermission("600"));
    fs.setOwner(file, "u", null);
    fs.setTimes(file, 123_000, -1);
    FileStatus status = fs.getFileStatus(file);
    assertThat(status.getPermission()).isEqualTo(new FsPermission("600"));
    assertThat(status.getOwner()).isEqualTo("u");
    assertThat(status.getGroup()).isNotEmpty();
    assertThat(status.getModificationTime()).isEqualTo(123_000);
  }

  @Test
  void openingAKnownStatusNeedsNoLookUp() throws Exception {
    write("/f", "known");
    FileStatus status = fs.getFileStatus(new Path("/f"));
    int ops = cluster.client("client.admin").ops();
    try (FSDataInputStream in =
        fs.openFile(new Path("/f"))
            .withFileStatus(status)
            .must("fs.option.openfile.read.policy", "random")
            .build()
            .get()) {
      assertThat(cluster.client("client.admin").ops() - ops).isZero();
      assertThat(in.readAllBytes()).isEqualTo("known".getBytes(StandardCharsets.UTF_8));
    }
    assertThatThrownBy(() -> fs.openFile(new Path("/f")).must("fs.unknown", "x").build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fs.open(new Path("/"))).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void statisticsAreTheThreads() throws IOException {
    FileSystem.Statistics statistics = FileSystem.getStatistics("rados", RadosFileSystem.class);
    long written = statistics.getThreadStatistics().getBytesWritten();
    long read = statistics.getThreadStatistics().getBytesRead();
    write("/f", "x".repeat(3000));
    read("/f");
    assertThat(statistics.getThreadStatistics().getBytesWritten() - written).isEqualTo(3000);
    assertThat(statistics.getThreadStatistics().getBytesRead() - read).isEqualTo(3000);
    assertThat(statistics.getThreadStatistics().getWriteOps()).isPositive();
  }

  private interface Call {
    void run() throws Exception;
  }

  /** What a call adds to Hadoop's counts of this thread: reads, listings, changes. */
  private static List<Integer> counted(Call call) throws Exception {
    FileSystem.Statistics all = FileSystem.getStatistics("rados", RadosFileSystem.class);
    FileSystem.Statistics.StatisticsData of = all.getThreadStatistics();
    List<Integer> before = counts(of);
    call.run();
    List<Integer> after = counts(of);
    return List.of(
        after.get(0) - before.get(0), after.get(1) - before.get(1), after.get(2) - before.get(2));
  }

  private static List<Integer> counts(FileSystem.Statistics.StatisticsData of) {
    return List.of(of.getReadOps(), of.getLargeReadOps(), of.getWriteOps());
  }

  @Test
  void everyCallIsCountedOnceInHadoopsStatistics() throws Exception {
    Path file = new Path("/a/f");
    Path directory = new Path("/a");
    List<Integer> read = List.of(1, 0, 0);
    List<Integer> listed = List.of(0, 1, 0);
    List<Integer> changed = List.of(0, 0, 1);
    List<Integer> nothing = List.of(0, 0, 0);
    FsPermission mode = FsPermission.getFileDefault();
    assertThat(counted(() -> write("/a/f", "x"))).isEqualTo(changed);
    assertThat(counted(() -> fs.mkdirs(new Path("/b")))).isEqualTo(changed);
    assertThat(counted(() -> fs.open(file).close())).isEqualTo(read);
    assertThat(counted(() -> fs.openFile(file).build().get().close())).isEqualTo(read);
    FileStatus status = fs.getFileStatus(file);
    PathHandle handle = fs.getPathHandle(status, HandleOpt.exact());
    assertThat(counted(() -> fs.open(handle).close())).isEqualTo(read);
    assertThat(counted(() -> fs.getFileStatus(file))).isEqualTo(read);
    assertThat(counted(() -> fs.getXAttrs(file))).isEqualTo(read);
    assertThat(counted(() -> fs.getFileChecksum(file))).isEqualTo(read);
    assertThat(counted(() -> fs.listStatus(directory))).isEqualTo(listed);
    assertThat(counted(() -> fs.listStatusIterator(directory).next())).isEqualTo(listed);
    assertThat(counted(() -> fs.listFiles(directory, true).next())).isEqualTo(listed);
    assertThat(counted(() -> fs.getContentSummary(directory))).isEqualTo(listed);
    assertThat(counted(() -> fs.setPermission(file, mode))).isEqualTo(changed);
    assertThat(counted(() -> fs.setOwner(file, "a", "b"))).isEqualTo(changed);
    assertThat(counted(() -> fs.setTimes(file, 1, -1))).isEqualTo(changed);
    assertThat(counted(() -> fs.setXAttr(file, "user.a", new byte[1]))).isEqualTo(changed);
    assertThat(counted(() -> fs.removeXAttr(file, "user.a"))).isEqualTo(changed);
    assertThat(counted(() -> fs.getFileBlockLocations(status, 0, 1))).isEqualTo(nothing);
    assertThat(counted(() -> fs.getStatus(file))).isEqualTo(nothing);
    assertThat(counted(() -> fs.rename(file, new Path("/a/g")))).isEqualTo(changed);
    assertThat(counted(() -> fs.delete(directory, true))).isEqualTo(changed);
  }

  @Test
  void capabilitiesAreTrue() throws IOException {
    Path file = new Path("/f");
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.FS_PERMISSIONS)).isTrue();
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.ETAGS_AVAILABLE)).isTrue();
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.FS_APPEND)).isFalse();
    assertThat(fs.hasPathCapability(file, CommonPathCapabilities.FS_SYMLINKS)).isFalse();
  }

  /** Spark's event log calls hflush after every event. */
  @Test
  void hflushIsWarnedOfOnceOrRefused() throws IOException {
    Path file = new Path("/log");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SyncRequests.class));
    try {
      for (int i = 0; i < 2; i++) {
        try (FSDataOutputStream out = fs.create(file, true)) {
          out.write('x');
          out.hflush();
          out.hsync();
          assertThat(out.hasCapability(StreamCapabilities.HFLUSH)).isFalse();
          assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isFalse();
        }
      }
      assertThat(log.getOutput()).containsOnlyOnce("does nothing").contains("hflush of /log");
    } finally {
      log.stopCapturing();
    }
    assertThat(fs.hasPathCapability(file, StreamCapabilities.HFLUSH)).isFalse();
    assertThat(fs.hasPathCapability(file, StreamCapabilities.HSYNC)).isFalse();
    conf.setBoolean("fs.rados.downgrade.syncable.exceptions", false);
    try (FileSystem strict = FileSystem.newInstance(fs.getUri(), conf);
        FSDataOutputStream out = strict.create(file, true)) {
      assertThatThrownBy(out::hflush)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("fs.rados.downgrade.syncable.exceptions");
    }
  }

  @Test
  void closedIsClosed() throws IOException {
    write("/f", "x");
    fs.close();
    fs.close();
    assertThatThrownBy(() -> fs.getFileStatus(new Path("/f")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Filesystem closed");
  }

  @Test
  void fileSystemsOfTheSameSettingsShareAMount() throws IOException {
    int ops = cluster.client("client.admin").ops();
    try (FileSystem same = FileSystem.newInstance(fs.getUri(), conf)) {
      assertThat(cluster.client("client.admin").ops() - ops).isZero();
      write("/f", "x");
      assertThat(same.exists(new Path("/f"))).isTrue();
    }
    assertThat(fs.exists(new Path("/f"))).as("still open").isTrue();
    Configuration others = new Configuration(conf);
    others.set(Options.CEPH_USER.key(), "client.other");
    try (FileSystem other = FileSystem.newInstance(fs.getUri(), others)) {
      assertThat(other.exists(new Path("/f"))).isTrue();
      assertThat(cluster.client("client.other").ops()).isPositive();
    }
  }

  @Test
  void missingPoolSaysHowToMakeIt() {
    assertThatThrownBy(() -> FileSystem.get(URI.create("rados://none/"), conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rados://none: the cluster has no pool 'none'")
        .hasMessageContaining("ceph osd pool create none");
  }

  @Test
  void erasureCodedPoolSaysHowToFormat() throws IOException {
    try (FileSystem ec = FileSystem.get(URI.create("rados://ec/"), conf)) {
      assertThatThrownBy(() -> ec.mkdirs(new Path("/d")))
          .hasMessageContaining("radosfs format --data-pool ec");
      assertThatThrownBy(() -> ec.create(new Path("/f")).close())
          .hasMessageContaining("radosfs format --data-pool ec");
    }
  }

  @Test
  void denialNamesPoolNamespaceUserAndCapabilities() throws IOException {
    write("/d/f", "x");
    conf.set(Options.CEPH_USER.key(), "client.reader");
    cluster.client("client.reader").setAccess("my_pool", Access.NONE);
    assertThatThrownBy(() -> FileSystem.get(fs.getUri(), conf))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("client.reader")
        .hasMessageContaining("pool 'my_pool', namespace 'team'")
        .hasMessageContaining("osd 'allow rw pool=my_pool namespace=team'");
    cluster.client("client.reader").setAccess("my_pool", Access.READ_ONLY);
    try (FileSystem reader = FileSystem.get(fs.getUri(), conf)) {
      assertThat(reader.open(new Path("/d/f")).read()).isEqualTo('x');
      assertThatThrownBy(
              () -> {
                try (FSDataOutputStream out = reader.create(new Path("/d/g"))) {
                  out.write('x');
                }
              })
          .isInstanceOf(AccessControlException.class);
      assertThatThrownBy(() -> reader.delete(new Path("/d"), true))
          .isInstanceOf(AccessControlException.class);
    }
    assertThat(read("/d/f")).isEqualTo("x");
  }

  @Test
  void badInputSaysWhatToDo() {
    assertThatThrownBy(() -> fs.create(new Path("/" + "n".repeat(1901))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("use shorter directory or file names");
    assertThatThrownBy(() -> FileSystem.get(URI.create("rados:///x"), conf))
        .hasMessageContaining("no pool is named");
    assertThat(cluster.objects("my_pool", "team")).isEmpty();
  }
}
