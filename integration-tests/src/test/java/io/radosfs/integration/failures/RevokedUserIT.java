// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The right to write is taken from the user of a job in its midst. Ceph tells connections of it
 * that are made after that: those of a driver or executor that is started then.
 */
class RevokedUserIT {

  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] NEW = "new".getBytes(UTF_8);

  private final CephCluster ceph = CephCluster.shared();
  private final String id = "revoked-" + UUID.randomUUID();
  private String pool;
  private JobFiles admins;
  private JobFiles users;

  @TempDir Path folder;

  @BeforeEach
  void start() throws Exception {
    pool = ceph.createPool();
    Configuration conf = JobFiles.configuration(ceph);
    admins = new JobFiles(ceph, pool, conf);
    CephCluster.User user = ceph.createUser(id, "mon", "allow r", "osd", "allow rw pool=" + pool);
    users = new JobFiles(ceph, pool, of(user));
    admins.write("table/old", OLD);
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
    ceph.ceph("auth", "rm", "client." + id);
  }

  private Configuration of(CephCluster.User user) {
    Configuration conf = JobFiles.configuration(ceph);
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    return conf;
  }

  /** Settings that differ in anything have a connection of their own. */
  private Configuration newConnection() {
    Configuration conf = new Configuration(users.conf());
    conf.set("fs.rados.ceph.client_mount_timeout", "100");
    return conf;
  }

  private void revoke() {
    ceph.ceph("auth", "caps", "client." + id, "mon", "allow r", "osd", "allow r pool=" + pool);
  }

  @Test
  void aTaskOfANewExecutorFailsAndTheDriverAborts() throws Exception {
    ProtocolJob job = users.overwrite("table");
    job.attempt(0, 0).write(NEW).close().commit();
    revoke();

    ProtocolJob.Attempt attempt = job.attempt(1, 0, newConnection());
    assertThatThrownBy(() -> attempt.file("", "-a", NEW))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining(pool)
        .hasMessageContaining(users.conf().get("fs.rados.ceph.user"));
    attempt.abort();
    job.abort();

    admins.assertFiles("table", OLD, 1);
    admins.pool().assertCleanAfterCollection();
  }

  @Test
  void aNewDriverCannotCommitAndTheOldDataStays() throws Exception {
    ProtocolJob job = users.overwrite("table");
    TaskCommitMessage message = job.attempt(0, 0).write(NEW).close().commit();
    File saved = folder.resolve("job").toFile();
    job.save(saved, List.of(message));
    revoke();

    assertThatThrownBy(() -> ProtocolJob.commitSaved(saved, newConnection()))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining(pool)
        .hasMessageContaining(users.conf().get("fs.rados.ceph.user"));
    admins.assertFiles("table", OLD, 1);
    admins.pool().assertCheckFindsNothing();

    // The same by whoever may.
    ProtocolJob.commitSaved(saved, admins.conf());
    admins.assertFiles("table", NEW, 1);
    admins.pool().assertCleanAfterCollection();
    assertThat(ceph.listObjects(pool)).noneMatch(name -> name.contains("//job/"));
  }
}
