// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two drivers set up one job. The pool is at its quota when the second makes the record. */
class NoRoomForASecondDriverTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  /** The record is there already: the job of the first stays as it is. */
  @Test
  void theJobOfTheFirstStays() throws IOException {
    new SimulatedJobs(cluster.client("user")).create("/out/old", 120);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("first"));
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedClient second = cluster.client("second");
    boolean[] began = {false};
    second
        .faults()
        .before(
            op -> {
              if (!began[0] && op.write() && op.object().endsWith("//job/j1")) {
                began[0] = true;
                fs.setUpWithFile(job, "a");
              }
            })
        .once(
            op -> op.write() && op.object().endsWith("//job/j1"),
            Fault.failWith(StoreException.Kind.NO_SPACE));
    assertThatThrownBy(() -> SimulatedJobs.setUp(SimulatedJobs.job(second, "j1")))
        .isInstanceOf(StoreException.class);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    commit(job);
    assertThat(new JobPoolCheck(cluster).tree()).containsKeys("a", "old");
  }

  /** A driver whose last operation makes the record. */
  private void makeRecordAndDie() throws IOException {
    SimulatedClient first = cluster.client("first");
    var unused =
        first
            .faults()
            .once(op -> op.write() && op.object().endsWith("//job/j1"), Fault.CRASH_AFTER);
    assertThat(catchThrowable(() -> SimulatedJobs.setUp(SimulatedJobs.job(first, "j1"))))
        .isInstanceOf(ClientCrashed.class);
  }

  private void makeRecordBefore(SimulatedClient client, String change) {
    AtomicBoolean began = new AtomicBoolean();
    var unused =
        client
            .faults()
            .before(
                op -> {
                  if (op.write() && op.summary().contains(change) && !began.getAndSet(true)) {
                    makeRecordAndDie();
                  }
                });
  }

  private void theRecordIsFoundAndRemoved() throws IOException {
    JobRecord record = SimulatedJobs.job(cluster.client("observer"), "j1").record();
    assertThat(record.state()).contains(JobState.RUNNING);
    SimulatedJobs collector =
        new SimulatedJobs(cluster.client("collector"), SimulatedJobs.COLLECTING);
    assertThat(collector.registry().below(FsPath.ROOT, Failures.END))
        .extracting(RegisteredJob::record)
        .containsExactly(record.name());
    for (int i = 1; i <= 4; i++) {
      new SimulatedJobs(cluster.client("collector"), (i + 1) * SimulatedJobs.COLLECTING)
          .collect(i * SimulatedJobs.COLLECTING);
    }
    assertThat(record.head()).isEmpty();
    assertThat(collector.registry().below(FsPath.ROOT, Failures.END)).isEmpty();
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** The first makes the record just when the second removes the registration, and dies. */
  @Test
  void theRecordOfTheFirstIsFound() throws IOException {
    new SimulatedJobs(cluster.client("user")).create("/out/old", 120);
    SimulatedClient second = cluster.client("second");
    makeRecordBefore(second, "removeOmap(j/j1)");
    var unused =
        second
            .faults()
            .once(
                op -> op.write() && op.object().endsWith("//job/j1"),
                Fault.failWith(StoreException.Kind.NO_SPACE));
    assertThatThrownBy(() -> SimulatedJobs.setUp(SimulatedJobs.job(second, "j1")))
        .isInstanceOf(StoreException.class);
    theRecordIsFoundAndRemoved();
  }

  /** Who does the last step of a committed job. */
  enum LastStep {
    ABORT,
    COMMIT,
    RECOVERY
  }

  /** The job was committed, and its record removed; its driver has died before the end of that. */
  @ParameterizedTest
  @EnumSource
  void theRecordOfADriverThatComesLateIsFound(LastStep by) throws IOException {
    SimulatedClient driver = cluster.client("driver");
    SimulatedJobs fs = new SimulatedJobs(driver);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    fs.setUpWithFile(job, "a");
    var unused =
        driver.faults().once(op -> op.summary().contains("removeOmap(j/j1)"), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> commit(job)).isInstanceOf(ClientCrashed.class);

    SimulatedClient second = cluster.client("second");
    makeRecordBefore(second, "removeOmap(j/j1)");
    Job again = SimulatedJobs.job(second, "j1");
    switch (by) {
      case ABORT -> assertThat(AbortJobStage.run(again)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
      case COMMIT -> commit(again);
      case RECOVERY ->
          new SimulatedJobs(second, SimulatedJobs.COLLECTING).recover(SimulatedJobs.WORKING);
    }
    theRecordIsFoundAndRemoved();
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("_SUCCESS", "a");
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
  }
}
