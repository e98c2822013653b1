// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.integration.ceph.LibradosVersion;
import io.radosfs.integration.ceph.TypedKeys;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The key of a job's user is rotated to the newer type in the job's midst, and then the cluster
 * takes no older keys any more, as administrators do it after CVE-2025-30156. Connections that are
 * there go on by the tickets they have; one that is made then needs the new key, and a librados
 * that reads it.
 */
class RotatedKeyIT {

  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] NEW = "new".getBytes(UTF_8);

  /** Each takes seconds, and the tickets last for a few. */
  private static final int RESTARTS = 20;

  private static TypedKeys keys;
  private static int users;

  private String pool;
  private String entity;
  private String oldKey;
  private JobFiles admins;
  private JobFiles files;

  @BeforeAll
  static void startCluster() {
    keys = TypedKeys.start();
  }

  @AfterAll
  static void stopCluster() {
    if (keys != null) {
      keys.cluster().close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    keys.takeBoth();
    pool = keys.cluster().ceph().createPool();
    entity = "client.rotated-" + ++users;
    keys.makeUser(entity, pool, TypedKeys.OLDER);
    oldKey = keys.key(entity);
    admins = new JobFiles(keys.cluster().ceph(), pool, adminsConfiguration());
    files = new JobFiles(keys.cluster().ceph(), pool, withKey(oldKey));
    admins.write("table/old", OLD);
  }

  @AfterEach
  void deletePool() {
    keys.takeBoth();
    keys.cluster().ceph().deletePool(pool);
  }

  private static Configuration adminsConfiguration() {
    return JobFiles.configuration(keys.cluster().ceph());
  }

  /** A connection of its own for each key, as for each executor that is started. */
  private Configuration withKey(String key) {
    Configuration conf = adminsConfiguration();
    conf.set("fs.rados.ceph.user", entity);
    conf.set("fs.rados.ceph.secret", key);
    return conf;
  }

  /** Where the old key was, for a process that is started after the rotation. */
  private Configuration startedLate(String key) {
    Configuration conf = withKey(key);
    conf.set("fs.rados.ceph.client_mount_timeout", "100");
    return conf;
  }

  private void rotate() {
    keys.rotate(entity, TypedKeys.NEWER);
    keys.takeNewerOnly();
    assertThat(keys.key(entity).equals(oldKey)).as("the key is still the old one").isFalse();
  }

  @Test
  void aJobThatRunsGoesOn() throws Exception {
    ProtocolJob job = files.overwrite("table");
    TaskCommitMessage first = job.attempt(0, 0).write(NEW).close().commit();
    ProtocolJob.Attempt open = job.attempt(1, 0).write(NEW);
    rotate();

    TaskCommitMessage second = open.close().commit();
    TaskCommitMessage third = job.attempt(2, 0).write(NEW).close().commit();
    job.commit(List.of(first, second, third));

    files.assertFiles("table", NEW, 3);
    assertClean();
  }

  @Test
  void anExecutorThatIsStartedThenFailsClearlyAndTheOldDataStays() throws Exception {
    ProtocolJob job = files.overwrite("table");
    job.attempt(0, 0).write(NEW).close().commit();
    rotate();

    assertRefused(job, startedLate(oldKey), "the cluster does not know this user with this key");
    job.abort();

    files.assertFiles("table", OLD, 1);
    assertClean();
  }

  @Test
  void anExecutorWithTheNewKeyGoesOnWhereItsLibradosReadsIt() throws Exception {
    ProtocolJob job = files.overwrite("table");
    TaskCommitMessage first = job.attempt(0, 0).write(NEW).close().commit();
    rotate();

    Configuration late = startedLate(keys.key(entity));
    if (LibradosVersion.ofThisJvm().readsNewerKeys()) {
      TaskCommitMessage second = job.attempt(1, 0, late).write(NEW).close().commit();
      job.commit(List.of(first, second));
      files.assertFiles("table", NEW, 2);
    } else {
      assertRefused(job, late, "is of type aes256k, which this host's librados cannot read");
      job.abort();
      files.assertFiles("table", OLD, 1);
    }
    assertClean();
  }

  /**
   * Tickets last for days. When they have run out, an OSD that was started anew is not reached any
   * more, and librados says only that nothing answers.
   */
  @Test
  void aProcessThatOutlivesItsTicketsIsToldOfTheKey() throws Exception {
    lifeOfTickets("config", "set", "mon", "%s", "4");
    Configuration conf = startedLate(oldKey);
    conf.set("fs.rados.operation.timeout", "10s");
    JobFiles outliving = new JobFiles(keys.cluster().ceph(), pool, conf);
    ProtocolJob job = outliving.overwrite("table");
    job.attempt(0, 0).write(NEW).close().commit();
    keys.rotate(entity, TypedKeys.NEWER);
    try {
      assertThat(failureAfterRestartsOfTheOsd(job))
          .hasStackTraceContaining("no answer in time")
          .hasStackTraceContaining("If the key of this user was rotated");
    } finally {
      lifeOfTickets("config", "rm", "mon", "%s");
    }

    admins.assertFiles("table", OLD, 1);
    assertClean();
  }

  private static void lifeOfTickets(String... command) {
    for (String option : List.of("auth_mon_ticket_ttl", "auth_service_ticket_ttl")) {
      keys.cluster()
          .cephAsMonitor(
              Stream.of(command).map(word -> word.formatted(option)).toArray(String[]::new));
    }
  }

  /** Until a new attempt fails, as it has no ticket any more to introduce itself with. */
  private static Throwable failureAfterRestartsOfTheOsd(ProtocolJob job) {
    for (int task = 1; task <= RESTARTS; task++) {
      keys.cluster().killOsd(0);
      keys.cluster().startDead();
      int next = task;
      Throwable failure = catchThrowable(() -> job.attempt(next, 0).write(NEW).close().commit());
      if (failure != null) {
        return failure;
      }
    }
    throw new AssertionError("goes on after " + RESTARTS + " restarts of the OSD");
  }

  private void assertRefused(ProtocolJob job, Configuration executor, String why) {
    assertThatThrownBy(() -> job.attempt(1, 0, executor).file("", "-a", NEW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot connect to Ceph as " + entity)
        .hasMessageContaining(why)
        .satisfies(
            e ->
                assertThat(e.getMessage().contains(executor.get("fs.rados.ceph.secret")))
                    .as("the key is in the message")
                    .isFalse());
  }

  /** By the administrator, whose key is of the older type in this cluster. */
  private void assertClean() throws IOException {
    keys.takeBoth();
    admins.pool().assertCleanAfterCollection();
    assertThat(keys.cluster().ceph().listObjects(pool)).noneMatch(name -> name.contains("//job/"));
  }
}
