// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user gets wrong, or finds broken: an error that says what to do, and nothing lost. */
class BadInputIT {

  private static SparkOnCeph on;
  private static CephCluster ceph;

  @TempDir java.nio.file.Path directory;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    ceph = on.ceph;
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void noCephConf() {
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.conf", directory.resolve("none.conf").toString());
    assertFails(() -> list(configuration, on.pool), "none.conf", "fs.rados.ceph.conf");
  }

  @Test
  void aCephConfThatIsNone() throws Exception {
    java.nio.file.Path garbage = directory.resolve("garbage.conf");
    Files.writeString(garbage, "[global\nmon host: whoever knows\n");
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.conf", garbage.toString());
    assertFails(() -> list(configuration, on.pool), "garbage.conf");
  }

  /** A well-formed key that the cluster never gave out. */
  @Test
  void aWrongKey() throws Exception {
    ByteBuffer key = ByteBuffer.allocate(28).order(ByteOrder.LITTLE_ENDIAN);
    key.putShort((short) 1).putInt(1_600_000_000).putInt(0).putShort((short) 16);
    assertFails(
        () -> list(withKey(Base64.getEncoder().encodeToString(key.array())), on.pool),
        "client.admin",
        "key");
  }

  @Test
  void aKeyThatIsNone() throws Exception {
    Configuration configuration = withKey("no key at all");
    assertFails(() -> list(configuration, on.pool), "client.admin", "key");
  }

  private Configuration withKey(String key) throws IOException {
    java.nio.file.Path keyring = directory.resolve("wrong.keyring");
    Files.writeString(keyring, "[client.admin]\n\tkey = " + key + "\n", UTF_8);
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.keyring", keyring.toString());
    return configuration;
  }

  @Test
  void anUnknownUser() {
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.user", "client.nobody");
    assertFails(() -> list(configuration, on.pool), "client.nobody", "key");
  }

  @Test
  void aMissingPool() {
    assertFails(() -> list(on.configuration(), "no-such-pool"), "no-such-pool", "pool create");
    assertFails(() -> on.spark.range(1).write().parquet("rados://no-such-pool/x"), "no-such-pool");
    assertFails(() -> on.spark.read().parquet("rados://no-such-pool/x"), "no-such-pool");
  }

  @Test
  void aPoolWithoutPermission() {
    String id = "elsewhere-" + UUID.randomUUID();
    CephCluster.User user =
        ceph.createUser(id, "mon", "allow r", "osd", "allow rw pool=another-pool");
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.user", user.entity());
    assertFails(
        () -> list(configuration, on.pool), user.entity(), on.pool, "allow", "ceph auth caps");
  }

  @Test
  void aPoolThatMayOnlyBeRead() throws Exception {
    write("readable/file", "content");
    String id = "reader-" + UUID.randomUUID();
    CephCluster.User user = ceph.createUser(id, "mon", "allow r", "osd", "allow r pool=" + on.pool);
    Configuration configuration = new Configuration(on.configuration());
    configuration.set("fs.rados.ceph.user", user.entity());
    try (FileSystem reader = FileSystem.newInstance(URI.create(on.uri("")), configuration)) {
      assertThat(read(reader, "readable/file")).isEqualTo("content");
      assertFails(
          () -> reader.create(on.path("readable/other")).close(), user.entity(), on.pool, "allow");
      assertFails(() -> reader.delete(on.path("readable/file"), false), user.entity(), on.pool);
    }
    assertThat(read(on.fileSystem(), "readable/file")).isEqualTo("content");
    assertThat(on.files("readable")).containsExactly("readable/file");
  }

  @Test
  void anErasureCodedPoolForTheIndex() throws IOException {
    String pool = ceph.createErasureCodedPool();
    try {
      // Reading makes nothing, and so does not find out.
      list(on.configuration(), pool);
      assertThat(ceph.listObjects(pool)).isEmpty();
      assertFails(() -> makeDirectory(on.configuration(), pool), pool, "erasure", "--data-pool");
      assertThat(ceph.listObjects(pool)).isEmpty();
    } finally {
      ceph.deletePool(pool);
    }
  }

  @Test
  void aSuperblockOfAnUnknownVersion() throws Exception {
    String pool = ceph.createPool();
    try {
      list(on.configuration(), pool);
      ceph.rados(pool, "setomapval", "//superblock", "layout.version", "99");
      List<String> before = ceph.listObjects(pool);
      assertFails(() -> list(on.configuration(), pool), pool, "version '99'", "radosfs");
      assertFails(
          () -> FileSystem.newInstance(uri(pool), on.configuration()).mkdirs(new Path("/x")),
          "version '99'");
      assertThat(ceph.listObjects(pool)).isEqualTo(before);
    } finally {
      ceph.deletePool(pool);
    }
  }

  @Test
  void garbageInAnIndexEntry() throws Exception {
    write("garbage/good", "good");
    write("garbage/bad", "bad");
    String before = ceph.rados(on.pool, "getomapval", "garbage/", "e/bad");
    assertThat(before).isNotEmpty();
    ceph.rados(on.pool, "setomapval", "garbage/", "e/bad", "no entry at all");

    assertFails(() -> on.fileSystem().getFileStatus(on.path("garbage/bad")), "garbage/", "e/bad");
    assertFails(() -> on.fileSystem().open(on.path("garbage/bad")), "e/bad");
    assertFails(() -> on.fileSystem().listStatus(on.path("garbage")), "e/bad");
    assertFails(() -> on.fileSystem().delete(on.path("garbage"), true), "e/bad");
    assertFails(() -> write("garbage/bad", "new"), "e/bad");
    assertThat(read(on.fileSystem(), "garbage/good")).isEqualTo("good");
    assertThat(ceph.listObjects(on.pool)).contains("garbage/good", "garbage/bad");
    assertThat(ceph.rados(on.pool, "getomapval", "garbage/", "e/bad")).contains("no entry at all");
  }

  @Test
  void anIndexOfAnUnknownVersion() throws Exception {
    write("newer/file", "content");
    ceph.rados(on.pool, "setomapval", "newer/", "h", "radosfs-index 9 of the future");
    assertFails(() -> write("newer/other", "x"), "newer/", "radosfs-index 9");
    assertFails(() -> on.fileSystem().listStatus(on.path("newer")), "newer/", "radosfs-index 9");
    assertThat(ceph.listObjects(on.pool)).contains("newer/file").doesNotContain("newer/other");
  }

  @Test
  void aPathTooLong() throws Exception {
    String longName = "long/" + "ü".repeat(1000);
    list(on.configuration(), on.pool);
    List<String> before = ceph.listObjects(on.pool);
    assertFails(() -> write(longName, "x"), "2005", "1900");
    assertFails(() -> on.fileSystem().mkdirs(on.path(longName)), "1900");
    assertFails(() -> on.spark.range(1).write().parquet(on.uri(longName)), "1900");
    assertThat(ceph.listObjects(on.pool)).isEqualTo(before);
    write("long/" + "ü".repeat(900), "fits");
    assertThat(read(on.fileSystem(), "long/" + "ü".repeat(900))).isEqualTo("fits");
  }

  @Test
  void aDirectoryIsNotOverwrittenByAFile() throws Exception {
    write("directory/file", "content");
    assertFails(() -> write("directory", "x"), "directory");
    assertThat(read(on.fileSystem(), "directory/file")).isEqualTo("content");
  }

  @Test
  void aFileIsNoDirectoryToWriteTo() throws Exception {
    write("plain", "content");
    assertFails(() -> write("plain/below", "x"), "/plain");
    assertFails(
        () -> on.spark.range(1).write().mode(SaveMode.Append).parquet(on.uri("plain")), "plain");
    assertThat(read(on.fileSystem(), "plain")).isEqualTo("content");
  }

  private static void list(Configuration configuration, String pool) throws IOException {
    try (FileSystem fileSystem = FileSystem.newInstance(uri(pool), configuration)) {
      fileSystem.listStatus(new Path("/"));
    }
  }

  private static void makeDirectory(Configuration configuration, String pool) throws IOException {
    try (FileSystem fileSystem = FileSystem.newInstance(uri(pool), configuration)) {
      boolean unused = fileSystem.mkdirs(new Path("/a"));
    }
  }

  private static URI uri(String pool) {
    return URI.create("rados://" + pool + "/");
  }

  private static void write(String name, String content) throws IOException {
    try (var out = on.fileSystem().create(on.path(name), true)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private static String read(FileSystem fileSystem, String name) throws IOException {
    try (var in = fileSystem.open(on.path(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Fails, with an error whose own text holds these; causes may say more. */
  private static void assertFails(ThrowingCallable call, String... says) {
    assertThatThrownBy(call)
        .satisfies(
            failure -> {
              StringBuilder said = new StringBuilder();
              for (Throwable at = failure; at != null; at = at.getCause()) {
                said.append(at.getMessage()).append('\n');
              }
              assertThat(said.toString()).contains(says);
            });
  }
}
