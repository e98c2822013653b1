// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ShellWords;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Ceph's own tool runs the commands that messages advise, as a shell reads them: for the file
 * system that was damaged, and for names that anyone may give.
 */
class RepairCommandsIT {

  private static final String NAME = "-it's $HOME; a";

  private final CephCluster ceph = CephCluster.shared();
  private final Configuration conf = new Configuration();
  private String pool;

  @BeforeEach
  void createPool() {
    pool = ceph.createPool();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  private URI team() {
    return URI.create("rados://team@" + pool + "/");
  }

  private URI whole() {
    return URI.create("rados://" + pool + "/");
  }

  private void write(URI fileSystem) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(fileSystem, conf)) {
      fs.create(new Path(new Path("/" + NAME), "f")).close();
    }
  }

  private Set<Finding> findings(URI fileSystem) throws IOException {
    try (Mount mount = Mount.openExisting(Authority.of(fileSystem), conf)) {
      return mount.check().run(false).findings();
    }
  }

  @Test
  void aLockThatNobodyHoldsIsLetGoOfInItsNamespaceAlone() throws IOException {
    write(team());
    write(whole());
    String head = ceph.rados(pool, "--", "getomapval", NAME + "/", IndexKeys.HEAD);
    String lock = new String(IndexHead.frozen("gone").encode(), UTF_8);
    String unused =
        ceph.rados(pool, "-N", "team", "--", "setomapval", NAME + "/", IndexKeys.HEAD, lock);

    Set<Finding> found = findings(team());
    assertThat(found).extracting(Finding::kind).containsExactly(Finding.Kind.UNMARKED);
    String detail = found.iterator().next().detail();
    List<String> words = ShellWords.of(detail.substring(detail.indexOf("rados -p")));
    assertThat(words).startsWith("rados", "-p", pool);
    unused = ceph.rados(pool, words.subList(3, words.size()).toArray(String[]::new));

    assertThat(findings(team())).isEmpty();
    assertThat(findings(whole())).isEmpty();
    assertThat(ceph.rados(pool, "--", "getomapval", NAME + "/", IndexKeys.HEAD)).isEqualTo(head);
    try (FileSystem fs = FileSystem.newInstance(team(), conf)) {
      assertThat(fs.delete(new Path("/" + NAME), true)).isTrue();
    }
  }
}
