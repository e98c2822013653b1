// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A driver registers its job, and the answer is lost. Before it looks, one collector is about to
 * remove the record by which it has ended the job, and another has brought that to its end. The
 * driver registers the job a second time; what the first collector sent meets the new record.
 */
class UnansweredRegistrationTest {

  private static boolean isRegistration(OpInfo op) {
    return op.write() && op.object().equals("out/") && op.summary().contains("absentOmap(j/j1)");
  }

  @Test
  void aJobIsNotRegisteredAgainThatOthersHaveEnded() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    new SimulatedJobs(cluster.client("user")).create("/out/old", 120);
    SimulatedClient first = cluster.client("first");
    first
        .faults()
        .once(
            op ->
                op.write()
                    && op.object().endsWith("//job/j1")
                    && op.summary().trim().equals("remove"),
            Fault.CRASH_LATE);
    SimulatedClient driver = cluster.client("driver");
    boolean[] lost = {false};
    boolean[] ended = {false};
    driver
        .faults()
        .before(
            op -> {
              if (lost[0]) {
                lost[0] = false;
                assertThatThrownBy(
                        () ->
                            new SimulatedJobs(first, SimulatedJobs.WORKING).recover(Long.MAX_VALUE))
                    .isInstanceOf(ClientCrashed.class);
                new SimulatedJobs(cluster.client("second"), SimulatedJobs.WORKING)
                    .recover(Long.MAX_VALUE);
                ended[0] = true;
              }
            })
        .once(
            op -> {
              boolean here = isRegistration(op);
              lost[0] |= here;
              return here;
            },
            Fault.LOSE_ANSWER);
    SimulatedJobs fs = new SimulatedJobs(driver);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    try {
      SimulatedJobs.setUp(job);
    } catch (JobEndedException e) {
      assertThat(ended[0]).isTrue();
      return;
    }
    assertThat(ended[0]).isTrue();
    fs.write(job, SimulatedJobs.attempt(0, 0), "a", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    cluster.landDelayedOps();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    var committed =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    assertThat(committed).isNotNull();
  }
}
