// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A driver dies after its decision. Two clients recover the job, one of them within the other. Both
 * have seen that it is committed: neither tells its user that it is aborted.
 */
class RecoveredByTwoTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);

  private static JobUpkeep.Recovered recover(SimulatedClient client) throws IOException {
    Job job = Job.of(new SimulatedJobs(client, SimulatedJobs.COLLECTING), SimulatedJobs.OUT, "j1");
    return RecoverJobStage.run(
        job, Transactions.State.COMMITTED, Silence.since(SimulatedJobs.WORKING));
  }

  @Test
  void aCommittedJobIsNeverToldAsAborted() throws IOException {
    boolean more = true;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      SimulatedClient driver = cluster.client("driver");
      SimulatedJobs fs = new SimulatedJobs(driver);
      fs.create("/out/old", 120);
      Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
      fs.setUpWithFile(job, "a");
      driver.faults().once(JobOps.decides("j1"), Fault.CRASH_AFTER);
      assertThatThrownBy(() -> CommitJobStage.run(job, REQUEST)).isInstanceOf(ClientCrashed.class);
      assertThat(new JobPoolCheck(cluster).tree()).containsKeys("a", "old");
      SimulatedClient first = cluster.client("first");
      int begin = first.ops();
      int n = at;
      boolean[] ran = {false};
      first
          .faults()
          .before(
              op -> {
                if (!ran[0] && op.number() == begin + n) {
                  ran[0] = true;
                  recover(cluster.client("second"));
                }
              });
      JobUpkeep.Recovered recovered = recover(first);
      assertThat(recovered.outcome())
          .as("another recovers it before operation %d", at)
          .isNotEqualTo(JobUpkeep.Outcome.ABORTED);
      more = ran[0];
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
  }
}
