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
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects of {@code rados put} become files, by a user with no more rights than the pages say. */
class AdoptionIT {

  private static final int LONG = 10_000_001;

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private CephCluster.User user;
  private int status;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
    user = ceph.createUser("adoption", "mon", "allow r", "osd", "allow rw pool=" + pool);
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
  }

  private List<String> settings() {
    return List.of(
        "-Dfs.rados.ceph.conf=" + ceph.conf(),
        "-Dfs.rados.ceph.user=" + user.entity(),
        "-Dfs.rados.ceph.keyring=" + user.keyring());
  }

  private String radosfs(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(settings());
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said);
    status = Radosfs.run(both, both, all.toArray(new String[0]));
    return said.toString();
  }

  private String uri(String path) {
    return "rados://" + pool + path;
  }

  private byte[] put(String object, int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    ceph.putObject(pool, object, content);
    return content;
  }

  private byte[] read(String path) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri("/")), conf);
        var in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  @Test
  void whatRadosHasPutBecomesFiles() throws IOException {
    put("data/", 0);
    byte[] small = put("data/small.csv", 1_000);
    byte[] large = put("data/deep/large.bin", LONG);
    put("data/empty", 0);
    assertThat(radosfs("format", uri("/"))).contains("layout version 1");
    assertThat(radosfs("adopt", "-R", "--dry-run", uri("/"))).contains("4 would be adopted");
    String said = radosfs("adopt", "-R", uri("/"));
    assertThat(said).contains("4 adopted, 0 are of files already, 0 failed");
    assertThat(status).as(said).isZero();
    assertThat(read("/data/small.csv")).isEqualTo(small);
    assertThat(read("/data/deep/large.bin")).isEqualTo(large);
    assertThat(read("/data/empty")).isEmpty();
    assertThat(radosfs("fsck", "--data", uri("/"))).contains("3 files: 0 wrong, 0 unfinished");
    assertThat(status).isZero();

    assertThat(ceph.getObject(pool, "data/deep/large.bin")).isEqualTo(large);
    assertThat(radosfs("adopt", "-R", uri("/"))).contains("0 adopted, 3 are of files already");
  }

  /** As spark-ceph-connector names its directories: objects whose names end in a slash. */
  @Test
  void thePageOnMigrationAdopts() throws IOException {
    put("table/", 0);
    byte[] part = put("table/part-0", 1_000);
    PageCommands page = new PageCommands(ceph, settings());
    List<String> commands =
        PageCommands.of(
            "connector/docs/migration.md", "Objects of spark-ceph-connector and rados put");
    assertThat(commands).hasSize(3);
    String said = "";
    for (String command : commands) {
      said = page.run(command.replace("rados://lake/", uri("/")));
    }
    assertThat(said).contains("2 adopted, 0 are of files already, 0 failed");
    assertThat(read("/table/part-0")).isEqualTo(part);
  }

  /** Until somebody says that nobody is at it; and what another program does is found. */
  @Test
  void whatWasBegunIsLeftAloneAndAChangeIsFound() throws IOException {
    put("f", 1_000);
    radosfs("format", uri("/"));
    String uid = "0123456789abcdef01234567";
    ceph.rados(pool, "setxattr", "f", "radosfs.uid", uid);
    assertThat(radosfs("adopt", uri("/f"))).contains("is the data of a file already");
    ceph.rados(pool, "setxattr", "f", "radosfs.adopted", uid);
    assertThat(radosfs("adopt", uri("/f"))).contains("--resume");
    assertThat(status).isEqualTo(1);
    assertThat(radosfs("adopt", "--resume", uri("/f"))).contains("1 adopted");
    assertThat(radosfs("fsck", "--data", uri("/"))).contains("0 wrong");
    put("f", 999);
    assertThat(radosfs("fsck", "--data", uri("/"))).contains("999 bytes, not 1000");
  }
}
