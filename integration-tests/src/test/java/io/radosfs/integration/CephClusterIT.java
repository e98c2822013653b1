// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The cluster that the other integration tests stand on is a real and healthy Ceph, and can be
 * looked into.
 */
class CephClusterIT {

  private static CephCluster ceph;

  @BeforeAll
  static void startCluster() {
    ceph = CephCluster.shared();
  }

  @Test
  void isHealthy() throws Exception {
    // A pool made or removed just now shows as a warning for a moment.
    for (int tries = 0; tries < 60 && !ceph.ceph("health").startsWith("HEALTH_OK"); tries++) {
      Thread.sleep(500);
    }
    assertThat(ceph.ceph("health", "detail")).startsWith("HEALTH_OK");
    assertThat(ceph.ceph("versions")).contains("ceph version");
  }

  @Test
  void clientsGetAConfWithTheMonitorAndTheKeyrings() throws Exception {
    assertThat(Files.readString(ceph.conf(), UTF_8)).contains("mon_host").contains("$name.keyring");
    assertThat(ceph.admin().keyring()).exists();
  }

  @Test
  void objectsArePutListedAndGot() {
    String pool = ceph.createPool();
    byte[] content = "written with rados put\n".getBytes(UTF_8);

    ceph.putObject(pool, "a/b", content);
    ceph.putObject(pool, "größe mit leerzeichen", content);

    assertThat(ceph.listObjects(pool)).containsExactly("a/b", "größe mit leerzeichen");
    assertThat(ceph.getObject(pool, "a/b")).isEqualTo(content);
    assertThat(ceph.tryRados(pool, "get", "missing", "/dev/null").stderr())
        .contains("No such file");
    ceph.deletePool(pool);
  }

  @Test
  void anErasureCodedPoolKeepsBytesButNoOmap() {
    String pool = ceph.createErasureCodedPool();
    byte[] content = new byte[100_000];

    ceph.putObject(pool, "data", content);

    assertThat(ceph.getObject(pool, "data")).isEqualTo(content);
    assertThat(ceph.tryRados(pool, "setomapval", "data", "key", "value").exitCode()).isNotZero();
    ceph.deletePool(pool);
  }

  @Test
  void aRestrictedUserMayUseItsPoolOnly() {
    String own = ceph.createPool();
    String other = ceph.createPool();
    CephCluster.User user =
        ceph.createUser("restricted", "mon", "allow r", "osd", "allow rwx pool=" + own);

    assertThat(putAs(user, own).exitCode()).isZero();
    assertThat(putAs(user, other).stderr()).contains("Operation not permitted");
    assertThat(ceph.listObjects(own)).containsExactly("mine");
    assertThat(ceph.listObjects(other)).isEmpty();
    ceph.deletePool(own);
    ceph.deletePool(other);
  }

  private static CephCluster.Result putAs(CephCluster.User user, String pool) {
    return ceph.tryRadosAs(user, pool, "put", "mine", "/etc/hostname");
  }
}
