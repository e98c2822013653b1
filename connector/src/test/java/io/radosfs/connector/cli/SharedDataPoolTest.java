// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two file systems whose data is in one namespace of one pool. */
class SharedDataPoolTest {

  private static final String MINE = "rados://mine/";
  private static final String THEIRS = "rados://theirs/";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("mine", "theirs", "data");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  @BeforeEach
  void filesOfOthers() throws IOException {
    assertThat(run("format", "--object-size", "4096", "--data-pool", "data", THEIRS).status())
        .isZero();
    write(THEIRS, "/a/theirs");
    write(THEIRS, "/short");
  }

  private Ran run(String... args) {
    return Ran.of(conf, args);
  }

  private void write(String uri, String path) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri), conf);
        OutputStream out = fs.create(new Path(path))) {
      out.write(new byte[10_000]);
    }
  }

  private void put(String pool, String object, WriteOp.Builder op) throws IOException {
    try (ObjectStore store = cluster.client("other").open(pool, "")) {
      store.write(object, op.build());
    }
  }

  private static WriteOp.Builder content() {
    return WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[10]));
  }

  @Test
  void dataOfAnotherIsNoLeak() throws IOException {
    assertThat(run("format", "--data-pool", "data", MINE).status()).isZero();
    write(MINE, "/a/mine");
    Ran ran = run("fsck", MINE);
    assertThat(ran.status()).as(ran.out()).isEqualTo(3);
    assertThat(ran.out())
        .doesNotContain("LEAK")
        .containsOnlyOnce("not checked: whether objects of pool data leak, such as 'a/theirs'")
        .contains("'//data-of/theirs'")
        .doesNotContain("'//data-of/mine'");
    assertThat(run("fsck", THEIRS).out()).contains("such as 'a/mine'", "0 wrong");
  }

  /** What no file system has as data is nobody else's, and what is wrong elsewhere is found. */
  @Test
  void whatIsNoDataOfAnotherIsALeak() throws IOException {
    assertThat(run("format", "--data-pool", "data", MINE).status()).isZero();
    write(MINE, "/a/mine");
    put("data", "//odd", content());
    put("mine", "left", content());
    Ran ran = run("fsck", MINE);
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.out()).contains("LEAK //odd: ", "LEAK left: ", "2 wrong", "1 not checked");
  }

  /** The other's index is in the data pool too, or its own index in the other's data pool. */
  @Test
  void anIndexBesideTheDataIsNoLeak() throws IOException {
    assertThat(run("format", "rados://data/").status()).isZero();
    write("rados://data/", "/b/beside");
    put("data", "gone/", WriteOp.builder().setOmap("h", "open 1".getBytes(StandardCharsets.UTF_8)));
    Ran ran = run("fsck", THEIRS);
    assertThat(ran.status()).as(ran.out()).isEqualTo(3);
    assertThat(ran.out()).doesNotContain("LEAK").contains("'//superblock'");
    ran = run("fsck", "rados://data/");
    assertThat(ran.status()).as(ran.out()).isEqualTo(1);
    assertThat(ran.out())
        .contains("LEAK gone/: ", "1 wrong")
        .contains("such as 'a/theirs'", "'//data-of/theirs'");
  }

  @Test
  void aPoolOfOneFileSystemIsCheckedWhole() throws IOException {
    assertThat(run("fsck", THEIRS).status()).isZero();
    put("data", "left", content());
    assertThat(run("fsck", THEIRS).out()).contains("LEAK left: ");
  }

  /** It is not known by which of them, so going on might make two files of one object. */
  @Test
  void anAdoptionThatWasEndedEarlyIsNotGoneOnWith() throws IOException {
    byte[] uid = "0123456789abcdef01234567".getBytes(StandardCharsets.UTF_8);
    put(
        "data",
        "begun",
        content().setXattr(FileData.UID_XATTR, uid).setXattr(FileData.ADOPTED_XATTR, uid));
    assertThat(run("adopt", "--dry-run", "--resume", THEIRS + "begun").status()).isZero();
    assertThat(run("format", "--data-pool", "data", MINE).status()).isZero();
    Ran ran = run("adopt", "--resume", MINE + "begun");
    assertThat(ran.status()).as(ran.out()).isEqualTo(1);
    assertThat(ran.err())
        .contains("'//data-of/theirs'")
        .contains("`rados -p data rmxattr begun radosfs.uid`");
    assertThat(cluster.objects("data", "").get("begun").xattrs().get(FileData.UID_XATTR))
        .isEqualTo(uid);
  }
}
