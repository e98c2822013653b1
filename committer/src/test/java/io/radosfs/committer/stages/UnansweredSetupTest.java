// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver's record is made, and the answer is lost. Before the driver looks, another client ends
 * the job, and removes the record. The driver makes no second one, to which nothing would lead.
 */
class UnansweredSetupTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  /** How another client ends the job. */
  enum End {
    ABORT,
    COMMIT
  }

  @BeforeEach
  void makeOut() throws IOException {
    new SimulatedJobs(cluster.client("user")).create("/out/old", 10);
  }

  private void end(End end) throws IOException {
    Job job = SimulatedJobs.job(cluster.client("other"), "j");
    if (end == End.ABORT) {
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    } else {
      var unused = CommitJobStage.run(job, appending());
    }
  }

  private static CommitJobStage.Request appending() {
    return new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
  }

  private void setUpWhile(End end) throws IOException {
    boolean[] lost = {false};
    FaultPlan unused =
        cluster
            .client("driver")
            .faults()
            .before(
                op -> {
                  if (lost[0]) {
                    lost[0] = false;
                    end(end);
                  }
                })
            .once(
                op -> {
                  boolean here = op.write() && op.object().endsWith("//job/j");
                  lost[0] |= here;
                  return here;
                },
                Fault.LOSE_ANSWER);
    SimulatedJobs.setUp(SimulatedJobs.job(cluster.client("driver"), "j"));
  }

  @ParameterizedTest
  @EnumSource
  void theDriverIsToldHowTheJobHasEnded(End end) throws IOException {
    assertThatThrownBy(() -> setUpWhile(end))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining(end == End.ABORT ? "is ABORTED" : "is COMMITTED")
        .hasMessageEndingWith(
            end == End.ABORT
                ? "Nothing was changed; run it again"
                : "Do not run it again: its output would be there twice");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    Job job = SimulatedJobs.job(cluster.client("driver"), "j");
    assertThat(AbortJobStage.run(job))
        .isEqualTo(
            end == End.ABORT ? AbortJobStage.Outcome.ABORTED : AbortJobStage.Outcome.COMMITTED);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }

  /** Even if the driver dies as soon as it could have made it. */
  @ParameterizedTest
  @EnumSource
  void nothingIsLeftOfADriverThatDies(End end) throws IOException {
    FaultPlan unused =
        cluster
            .client("driver")
            .faults()
            .once(
                op -> op.write() && op.object().endsWith("//job/j") && op.ordinal() > 2,
                Fault.CRASH_AFTER);
    assertThatThrownBy(() -> setUpWhile(end)).isInstanceOf(JobEndedException.class);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }

  /** Who ends the job is not answered, and finds another registration of that name. */
  @Test
  void aRegistrationThatIsMadeAgainStays() throws IOException {
    Job job = SimulatedJobs.job(cluster.client("other"), "j");
    Transactions transactions = job.fs().transactions();
    transactions.register(job.registration());
    assertThat(transactions.abort(job.registration())).isEqualTo(Transactions.State.ABORTED);
    Transactions driver = SimulatedJobs.job(cluster.client("driver"), "j").fs().transactions();
    int[] removals = {0};
    FaultPlan unused =
        cluster
            .client("other")
            .faults()
            .before(
                op -> {
                  if (removals[0] == 2) {
                    removals[0]++;
                    driver.register(job.registration());
                  }
                })
            .once(
                // The first one is guarded with a committed one, as most are.
                op -> op.summary().contains("removeOmap(j/j)") && ++removals[0] == 2,
                Fault.LOSE_ANSWER);
    transactions.forget(job.registration());
    assertThat(removals[0]).isEqualTo(3);
    assertThat(transactions.state(job.registration())).contains(Transactions.State.PENDING);
  }
}
