// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Pools without a file system, on a real Ceph, by a user with no more rights than the pages say.
 */
class FirstUseIT {

  private static CephCluster ceph;
  private static String pool;
  private static CephCluster.User user;

  @BeforeAll
  static void makePool() {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    user = ceph.createUser("first-use", "mon", "allow r", "osd", "allow rw pool=" + pool);
  }

  @AfterAll
  static void removePool() {
    ceph.deletePool(pool);
  }

  private static FileSystem open(String uri) throws IOException {
    return FileSystem.newInstance(URI.create(uri), configuration(user));
  }

  private static Configuration configuration(CephCluster.User as) {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", as.entity());
    conf.set("fs.rados.ceph.keyring", as.keyring().toString());
    return conf;
  }

  private static String objects(String namespace) {
    return ceph.rados(pool, "-N", namespace, "ls");
  }

  @Test
  void aReadMakesNothingAndTheFirstWriteTheFileSystem() throws Exception {
    String uri = "rados://read@" + pool;
    try (FileSystem fs = open(uri)) {
      assertThat(ToolRunner.run(new FsShell(configuration(user)), new String[] {"-ls", uri + "/"}))
          .isZero();
      assertThat(fs.listStatus(new Path("/"))).isEmpty();
      assertThat(fs.exists(new Path("/a/b"))).isFalse();
      assertThat(objects("read")).isEmpty();
      fs.create(new Path("/a/b")).close();
      assertThat(objects("read").lines()).contains("//superblock", "/", "a/");
      assertThat(fs.listStatus(new Path("/a"))).hasSize(1);
    }
  }

  @Test
  void nothingIsWrittenBesideOthersObjects() throws IOException {
    ceph.rados(pool, "-N", "others", "create", "theirs");
    try (FileSystem fs = open("rados://others@" + pool)) {
      assertThat(fs.listStatus(new Path("/"))).isEmpty();
      assertThatThrownBy(() -> fs.mkdirs(new Path("/a")))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining("objects of something else, such as 'theirs'");
    }
    assertThat(objects("others").strip()).isEqualTo("theirs");
  }

  @Test
  void thePoolsOfOtherApplicationsAreRefusedByName() throws IOException {
    String pool = ceph.createPool();
    try {
      application("disable", pool, "radosfs");
      application("enable", pool, "rbd");
      CephCluster.User own =
          ceph.createUser("first-use-rbd", "mon", "allow r", "osd", "allow rw pool=" + pool);
      Configuration conf = configuration(own);
      URI uri = URI.create("rados://" + pool);
      assertThatThrownBy(() -> FileSystem.newInstance(uri, conf))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining("pool '" + pool + "' belongs to rbd");
      assertThat(ceph.rados(pool, "ls")).isEmpty();
      application("disable", pool, "rbd");
      try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
        assertThat(fs.mkdirs(new Path("/a"))).isTrue();
      }
    } finally {
      ceph.deletePool(pool);
    }
  }

  private static void application(String verb, String pool, String application) {
    ceph.ceph("osd", "pool", "application", verb, pool, application, "--yes-i-really-mean-it");
  }
}
