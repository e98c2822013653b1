// SPDX-License-Identifier: Apache-2.0
package io.radosfs.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.suites.SuitePool;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page on migration: its commands of {@code hadoop}, from a real HDFS and a local disk. */
class MigrationTest {

  @TempDir static java.nio.file.Path folder;
  private static MiniDFSCluster hdfs;

  private FileSystem source;
  private FileSystem lake;

  @BeforeAll
  static void startHdfs() throws IOException {
    Configuration conf = new Configuration();
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).numDataNodes(1).build();
  }

  @AfterAll
  static void stopHdfs() {
    if (hdfs != null) {
      hdfs.shutdown();
    }
  }

  @BeforeEach
  void open() throws IOException {
    source = hdfs.getFileSystem();
    lake = FileSystem.newInstance(SuitePool.uri(), configuration());
  }

  @AfterEach
  void close() throws IOException {
    SuitePool.clear(lake);
    lake.close();
    source.delete(new Path("/warehouse"), true);
  }

  private static Configuration configuration() {
    Configuration conf = SuitePool.configure(new Configuration());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // A command has a JVM of its own, and so no file system that was opened with other options.
    conf.set("fs.hdfs.impl.disable.cache", "true");
    return conf;
  }

  private static void fill(FileSystem in, Path warehouse) throws IOException {
    write(in, new Path(warehouse, "t/p=1/a"), "one");
    write(in, new Path(warehouse, "t/p=2/b"), "x".repeat(100_000));
    write(in, new Path(warehouse, "small"), "little");
    in.setPermission(new Path(warehouse, "t/p=1/a"), new FsPermission((short) 0640));
    in.setTimes(new Path(warehouse, "small"), 1_000_000_000_000L, -1);
  }

  private static void write(FileSystem in, Path path, String content) throws IOException {
    try (FSDataOutputStream out = in.create(path, true)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private String read(String path) throws IOException {
    try (var in = lake.open(new Path(path))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private int run(String command, String... more) throws Exception {
    return new MigrationCommands(
            MigrationTest::configuration,
            Map.of(
                "hdfs://namenode:8020",
                source.getUri().toString(),
                "file:///mnt/cephfs",
                "file://" + folder.resolve("cephfs")))
        .run(command, more);
  }

  @Test
  void thePageHasTheseCommands() {
    assertThat(MigrationCommands.all()).hasSize(6);
  }

  @Test
  void hdfsIsCopiedWithChecksumsCompared() throws Exception {
    fill(source, new Path("/warehouse"));
    String distcp = MigrationCommands.with("COMPOSITE_CRC");
    assertThat(run(distcp)).isZero();
    assertThat(read("/warehouse/t/p=1/a")).isEqualTo("one");
    assertThat(read("/warehouse/t/p=2/b")).hasSize(100_000);
    FileStatus small = lake.getFileStatus(new Path("/warehouse/small"));
    assertThat(small.getModificationTime()).isEqualTo(1_000_000_000_000L);
    assertThat(lake.getFileStatus(new Path("/warehouse/t/p=1/a")).getPermission())
        .isEqualTo(new FsPermission((short) 0640));

    // Of the same length and the same time: the checksum tells.
    write(source, new Path("/warehouse/small"), "LITTLE");
    source.setTimes(new Path("/warehouse/small"), 1_000_000_000_000L, -1);
    source.delete(new Path("/warehouse/t/p=2"), true);
    assertThat(run(distcp, "-delete")).isZero();
    assertThat(read("/warehouse/small")).isEqualTo("LITTLE");
    assertThat(lake.exists(new Path("/warehouse/t/p=2"))).isFalse();

    assertThat(run(MigrationCommands.with("-count"))).isZero();
    assertThat(lake.getContentSummary(new Path("/warehouse")).getLength())
        .isEqualTo(source.getContentSummary(new Path("/warehouse")).getLength());
    assertThat(printed(MigrationCommands.with("-checksum"))).contains("COMPOSITE-CRC32C");
  }

  private String printed(String command) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, UTF_8));
    try {
      assertThat(run(command)).isZero();
    } finally {
      System.setOut(before);
    }
    return said.toString(UTF_8);
  }

  @Test
  void withoutTheOptionTheChecksumsAreOfDifferentKinds() throws Exception {
    fill(source, new Path("/warehouse"));
    String plain =
        MigrationCommands.with("COMPOSITE_CRC")
            .replace("-Ddfs.checksum.combine.mode=COMPOSITE_CRC ", "");
    assertThat(run(plain)).isNotZero();
    assertThat(run(plain, "-skipcrccheck")).isZero();
    assertThat(read("/warehouse/small")).isEqualTo("little");
  }

  @Test
  void aMountedFileSystemIsCopied() throws Exception {
    FileSystem local = FileSystem.getLocal(new Configuration()).getRaw();
    java.nio.file.Path mounted = Files.createDirectories(folder.resolve("cephfs/warehouse"));
    fill(local, new Path(mounted.toUri()));
    String distcp = MigrationCommands.with("cephfs");
    assertThat(run(distcp)).isZero();
    assertThat(read("/warehouse/t/p=2/b")).hasSize(100_000);
    assertThat(lake.getFileStatus(new Path("/warehouse/small")).getModificationTime())
        .isEqualTo(1_000_000_000_000L);

    // Of the same length: the later time tells.
    write(local, new Path(mounted.toUri().toString(), "small"), "LITTLE");
    assertThat(run(distcp)).isZero();
    assertThat(read("/warehouse/small")).isEqualTo("LITTLE");
    assertThat(new File(mounted.toFile(), "small")).exists();
  }

  @Test
  void aFewFilesAreCopiedByTheShell() throws Exception {
    fill(source, new Path("/warehouse"));
    assertThat(run(MigrationCommands.with("-cp"))).isZero();
    assertThat(read("/small")).isEqualTo("little");
    assertThat(lake.getFileStatus(new Path("/small")).getModificationTime())
        .isEqualTo(1_000_000_000_000L);
  }
}
