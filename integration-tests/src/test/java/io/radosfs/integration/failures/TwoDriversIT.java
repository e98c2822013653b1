// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.SecondDriverApp;
import io.radosfs.integration.spark.ProtocolJob;
import io.radosfs.integration.tables.Deep;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two drivers, in processes of their own, commit one job: both say that it is committed. */
class TwoDriversIT {

  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] NEW = "new".getBytes(UTF_8);
  private static final int NEVER = 1_000;

  @TempDir static Path folder;

  private static CephCluster ceph;
  private static String pool;
  private static JobFiles files;
  private static Program other;

  @BeforeAll
  static void start() throws Exception {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    Configuration conf = JobFiles.configuration(ceph);
    files = new JobFiles(ceph, pool, conf);
    other = Program.start(folder, SecondDriverApp.class, Map.of(), ceph.conf().toString());
    assertThat(other.answer()).isEqualTo(SecondDriverApp.READY);
  }

  @AfterAll
  static void stop() {
    if (other != null) {
      other.close();
    }
    ceph.deletePool(pool);
  }

  /** Wherever the other driver stands still: after each number of writes that its commit has. */
  @Test
  void theOneThatStandsStillFindsTheJobCommitted() throws Exception {
    int writes = 0;
    while (standsStillAfter(writes)) {
      writes += Deep.choose(3, 1);
    }
    assertThat(writes).as("writes of a commit").isGreaterThanOrEqualTo(10);
  }

  /**
   * Commits a job by a driver that stands still after so many writes, until this one has committed
   * it. Answers false when it has made fewer.
   */
  private static boolean standsStillAfter(int writes) throws Exception {
    String table = "slow" + writes;
    File job = job(table);
    other.tell(writes + " " + job);
    String said = other.answer();
    boolean stopped = said.equals(SecondDriverApp.STOPPED);

    ProtocolJob.commitSaved(job, files.conf());
    files.assertFiles(table, NEW, 4);
    if (stopped) {
      other.tell("go on");
      said = other.answer();
    }

    assertThat(said).as("after %d writes", writes).isEqualTo(SecondDriverApp.COMMITTED);
    files.assertFiles(table, NEW, 4);
    files.pool().assertCleanAfterCollection();
    return stopped;
  }

  @Test
  void bothAtOnce() throws Exception {
    for (int round = 0; round < Deep.choose(5, 50); round++) {
      String table = "both" + round;
      File job = job(table);
      other.tell(NEVER + " " + job);
      ProtocolJob.commitSaved(job, files.conf());
      assertThat(other.answer()).isEqualTo(SecondDriverApp.COMMITTED);
      files.assertFiles(table, NEW, 4);
    }
    files.pool().assertCleanAfterCollection();
  }

  /** A job that replaces a table of two partitions, whose tasks are done. */
  private static File job(String table) throws Exception {
    files.write(table + "/p=1/old", OLD);
    files.write(table + "/p=2/old", OLD);
    ProtocolJob job = files.overwrite(table);
    TaskCommitMessage first =
        job.attempt(0, 0).file("p=1", "-a", NEW).file("p=3", "-a", NEW).commit();
    TaskCommitMessage second =
        job.attempt(1, 0).file("p=1", "-a", NEW).file("p=2", "-a", NEW).commit();
    File saved = folder.resolve(table).toFile();
    job.save(saved, List.of(first, second));
    return saved;
  }
}
