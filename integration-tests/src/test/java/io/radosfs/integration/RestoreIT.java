// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that was overwritten is there again, by a user with no more rights than a job has. */
class RestoreIT {

  private static final int STRIPE = 64 << 10;
  private static final int LONG = 40 * STRIPE + 1;

  /** Of three stripes of 4 MiB. */
  private static final int LARGE = (8 << 20) + 1;

  private final CephCluster ceph = CephCluster.shared();
  private final Configuration conf = new Configuration();
  private String pool;
  private CephCluster.User user;
  private int status;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
    user = ceph.createUser("restore", "mon", "allow r", "osd", "allow rw pool=" + pool);
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    conf.set("fs.rados.object.size", Integer.toString(STRIPE));
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
  }

  private String uri(String path) {
    return "rados://" + pool + path;
  }

  private String radosfs(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    for (String key : List.of("ceph.conf", "ceph.user", "ceph.keyring")) {
      all.add("-Dfs.rados." + key + "=" + conf.get("fs.rados." + key));
    }
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said);
    status = Radosfs.run(both, both, all.toArray(new String[0]));
    return said.toString();
  }

  private byte[] write(FileSystem fs, String path, int length, int seed) throws IOException {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(content);
    }
    return content;
  }

  private static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  @Test
  void anOverwrittenTableIsThereAgain() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri("/")), conf)) {
      byte[] large = write(fs, "/t/p=1/large", LONG, 1);
      byte[] small = write(fs, "/t/p=1/small", 1_000, 2);
      byte[] empty = write(fs, "/t/empty", 0, 3);
      byte[] newLarge = write(fs, "/t/p=1/large", LONG - 5, 4);
      write(fs, "/t/p=1/small", 10, 5);
      write(fs, "/t/empty", 10, 6);
      try (FSDataInputStream open = fs.open(new Path("/t/p=1/large"))) {
        assertThat(radosfs("restore", "--list", uri("/t"))).contains("KEPT until");
        String said = radosfs("restore", uri("/t"), "--to", uri("/rescued"));
        assertThat(said).contains("3 restored, 0 failed");
        assertThat(status).isZero();
        assertThat(open.readAllBytes()).isEqualTo(newLarge);
      }
      assertThat(radosfs("gc", "--older-than", "0", "--replaced-now", uri("/"))).contains("0 kept");
      assertThat(read(fs, "/rescued/p=1/large")).isEqualTo(large);
      assertThat(read(fs, "/rescued/p=1/small")).isEqualTo(small);
      assertThat(read(fs, "/rescued/empty")).isEqualTo(empty);
      assertThat(read(fs, "/t/p=1/large")).isEqualTo(newLarge);
      assertThat(radosfs("fsck", "--data", uri("/"))).contains("6 files: 0 wrong");

      assertThat(fs.delete(new Path("/rescued"), true)).isTrue();
      assertThat(fs.delete(new Path("/t"), true)).isTrue();
    }
    assertThat(radosfs("fsck", "--data", uri("/"))).contains("0 files: 0 wrong");
    assertThat(ceph.rados(pool, "ls").lines().filter(name -> name.startsWith("t/"))).isEmpty();
  }

  /** Its objects have xattrs, and are removed by guarded operations, as they are elsewhere. */
  @Test
  void dataOfAnErasureCodedPoolIsThereAgain() throws IOException {
    String data = ceph.createErasureCodedPool();
    try {
      String rights = "allow rw pool=" + pool + ", allow rw pool=" + data;
      user = ceph.createUser("restore-ec", "mon", "allow r", "osd", rights);
      conf.set("fs.rados.ceph.user", user.entity());
      conf.set("fs.rados.ceph.keyring", user.keyring().toString());
      assertThat(radosfs("format", "--data-pool", data, uri("/"))).contains("layout version 1");
      try (FileSystem fs = FileSystem.newInstance(URI.create(uri("/")), conf)) {
        byte[] large = write(fs, "/t/f", LARGE, 1);
        write(fs, "/t/f", 10, 2);
        assertThat(radosfs("restore", uri("/t"), "--to", uri("/r"))).contains("1 restored");
        assertThat(radosfs("gc", "--replaced-now", uri("/"))).contains("0 kept");
        assertThat(read(fs, "/r/f")).isEqualTo(large);
        assertThat(radosfs("fsck", "--data", uri("/"))).contains("2 files: 0 wrong");
        assertThat(fs.delete(new Path("/r"), true)).isTrue();
        assertThat(fs.delete(new Path("/t"), true)).isTrue();
      }
      assertThat(ceph.listObjects(data)).noneMatch(name -> name.startsWith("t/"));
    } finally {
      ceph.deletePool(data);
    }
  }

  /** Data goes once it is removed, whatever was listed before. */
  @Test
  void whatIsCollectedCannotBeRestored() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri("/")), conf)) {
      write(fs, "/t/f", LONG, 1);
      write(fs, "/t/f", 10, 2);
      assertThat(radosfs("gc", "--replaced-now", uri("/"))).contains("1 removed");
    }
    assertThat(radosfs("restore", uri("/t"), "--to", uri("/r"))).contains("no data of replaced");
    assertThat(status).isEqualTo(1);
    assertThat(radosfs("fsck", uri("/"))).contains("1 files: 0 wrong");
  }
}
