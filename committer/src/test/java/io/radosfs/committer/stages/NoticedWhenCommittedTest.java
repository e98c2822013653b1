// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A collector finds a job that is being set up, and is suspended before it notes that there is no
 * record. The job is committed meanwhile; its driver dies when it has removed the record, and not
 * the registration. The note makes a record again. Whoever goes on with the job (the next
 * application master, in its set-up) is told that it is committed.
 */
class NoticedWhenCommittedTest {

  @Test
  void theJobIsToldAsCommitted() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient driver = cluster.client("driver");
    SimulatedJobs fs = new SimulatedJobs(driver);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    fs.transactions().register(job.registration());
    SimulatedClient collector = cluster.client("collector");
    boolean[] ran = {false};
    collector
        .faults()
        .before(
            op -> {
              if (!ran[0] && op.write() && op.object().equals(job.record().name())) {
                ran[0] = true;
                runAndDieBeforeItIsForgotten(driver, fs, job);
              }
            });
    new SimulatedJobs(collector, SimulatedJobs.COLLECTING).recover(SimulatedJobs.WORKING);
    assertThat(ran[0]).isTrue();
    assertThat(new JobPoolCheck(cluster).tree()).containsKeys("a", "old", "_SUCCESS");
    // As SetupJobStage.resume does.
    Job earlier = SimulatedJobs.job(cluster.client("second master"), "j1");
    assertThat(AbortJobStage.run(earlier)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
  }

  private static void runAndDieBeforeItIsForgotten(
      SimulatedClient driver, SimulatedJobs fs, Job job) throws IOException {
    fs.setUpWithFile(job, "a");
    driver
        .faults()
        .once(
            op ->
                op.write()
                    && op.object().equals("out/")
                    && op.summary().contains("removeOmap(j/j1)"),
            Fault.CRASH_BEFORE);
    assertThatThrownBy(
            () ->
                CommitJobStage.run(
                    job,
                    new CommitJobStage.Request(
                        Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true)))
        .isInstanceOf(ClientCrashed.class);
  }
}
