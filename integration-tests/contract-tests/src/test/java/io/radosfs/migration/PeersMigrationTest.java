// SPDX-License-Identifier: Apache-2.0
package io.radosfs.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.suites.SuitePool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page on migration, from an S3 gateway and a mounted CephFS of the same cluster. */
@EnabledIfSystemProperty(
    named = PeersMigrationTest.PEERS,
    matches = ".+",
    disabledReason = "needs an S3 gateway and a CephFS, which scripts/test --migration starts")
class PeersMigrationTest {

  /** Names the file in which the scripts write what the gateway and CephFS are reached by. */
  static final String PEERS = "peers.properties";

  private static final String LARGE = "x".repeat(100_000);

  @TempDir static java.nio.file.Path folder;

  private final Properties peers = new Properties();
  private FileSystem lake;
  private Path warehouse;
  private FileSystem source;

  @BeforeEach
  void open() throws IOException {
    try (var in = Files.newInputStream(java.nio.file.Path.of(System.getProperty(PEERS)))) {
      peers.load(in);
    }
    lake = FileSystem.newInstance(SuitePool.uri(), configuration());
  }

  @AfterEach
  void close() throws IOException {
    SuitePool.clear(lake);
    lake.close();
    if (source != null) {
      source.delete(warehouse, true);
      source.close();
    }
  }

  private String peer(String key) {
    String value = peers.getProperty(key);
    assertThat(value).as(key).isNotNull();
    return value;
  }

  private Configuration configuration() {
    Configuration conf = SuitePool.configure(new Configuration());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    for (String key : peers.stringPropertyNames()) {
      if (key.startsWith("fs.s3a.")) {
        conf.set(key, peer(key));
      }
    }
    return conf;
  }

  private void write(String path, String content) throws IOException {
    try (FSDataOutputStream out = source.create(new Path(warehouse, path), true)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private String read(String path) throws IOException {
    try (var in = lake.open(new Path("/warehouse/" + path))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Another for each file that is written. */
  private String etag(String path) throws IOException {
    return ((EtagSource) lake.getFileStatus(new Path("/warehouse/" + path))).getEtag();
  }

  /**
   * @param part of the page's command
   * @param root what it has on the page before the warehouse
   * @param here what that is here
   */
  private void isCopied(String part, String root, String here) throws Exception {
    warehouse = new Path(here + "/warehouse");
    source = FileSystem.newInstance(URI.create(here), configuration());
    write("t/p=1/a", "one");
    write("t/p=2/b", LARGE);
    write("t/_SUCCESS", "");
    MigrationCommands page = new MigrationCommands(this::configuration, Map.of(root, here));
    String command = MigrationCommands.with(part);

    assertThat(page.run(command)).isZero();
    assertThat(read("t/p=1/a")).isEqualTo("one");
    assertThat(read("t/p=2/b")).isEqualTo(LARGE);
    assertThat(read("t/_SUCCESS")).isEmpty();
    FileStatus copied = lake.getFileStatus(new Path("/warehouse/t/p=1/a"));
    FileStatus before = source.getFileStatus(new Path(warehouse, "t/p=1/a"));
    assertThat(copied.getModificationTime()).isEqualTo(before.getModificationTime());

    // Of the same length: the later time tells. What is the same is not copied again.
    String same = etag("t/p=2/b");
    write("t/p=1/a", "ONE");
    source.delete(new Path(warehouse, "t/_SUCCESS"), false);
    assertThat(page.run(command, "-delete")).isZero();
    assertThat(read("t/p=1/a")).isEqualTo("ONE");
    assertThat(lake.exists(new Path("/warehouse/t/_SUCCESS"))).isFalse();
    assertThat(etag("t/p=2/b")).isEqualTo(same);
  }

  @Test
  void aBucketOfAGatewayIsCopied() throws Exception {
    isCopied("s3a:", "s3a://bucket", "s3a://" + peer("bucket"));
  }

  @Test
  void aMountedCephFsIsCopied() throws Exception {
    String mounted = peer("cephfs.dir") + "/" + UUID.randomUUID();
    isCopied("cephfs", "file:///mnt/cephfs", "file://" + mounted);
  }
}
