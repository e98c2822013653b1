// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.stages.StoppingPointsTest.Scenario;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commits that fail at any operation: what is decided is reported as committed, whatever fails. */
@Execution(ExecutionMode.CONCURRENT)
class FailedCommitTest {

  static Stream<Scenario> scenarios() {
    return StoppingPointsTest.scenarios()
        .filter(
            scenario ->
                scenario.name().equals("append to several directories")
                    || scenario.name().equals("dynamic overwrite"));
  }

  /** A user who is told that an append has failed runs it again. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void aCommitThatFailsIsNotVisible(Scenario scenario) {
    Experiment.named("commitJob with an operation that fails: " + scenario)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> StoppingPointsTest.setUp(client, scenario))
        .program("driver", client -> StoppingPointsTest.commit(client, scenario))
        .faults(
            List.of(
                Fault.failWith(Kind.PERMISSION_DENIED),
                Fault.failWith(Kind.TIMED_OUT),
                Fault.failWith(Kind.OTHER)))
        .check(
            trial -> {
              Outcome driver = trial.outcome("driver");
              if (!(driver.failure() instanceof OutcomeUnknownException)) {
                assertThat(new JobPoolCheck(trial.cluster()).tree())
                    .as("%s", driver)
                    .isEqualTo(driver.succeeded() ? scenario.after() : scenario.before());
              }
            })
        .everyStoppingPoint();
  }

  /** Whatever comes after the decision: memory that is short, a class that is missing. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void anErrorOfTheJvmDoesNotUndoADecision(Scenario scenario) throws Exception {
    int committed = 0;
    boolean struck = true;
    for (int n = 1; struck; n++) {
      int at = n;
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      StoppingPointsTest.setUp(cluster.client("setup"), scenario);
      SimulatedClient driver = cluster.client("driver");
      boolean[] isStruck = new boolean[1];
      driver
          .faults()
          .before(
              op -> {
                if (op.number() >= at) {
                  isStruck[0] = true;
                  throw new OutOfMemoryError("as the test wants it");
                }
              });
      boolean failed = false;
      try {
        StoppingPointsTest.commit(driver, scenario);
      } catch (OutOfMemoryError e) {
        failed = true;
      }
      struck = isStruck[0];
      committed += struck && !failed ? 1 : 0;
      assertThat(new JobPoolCheck(cluster).tree())
          .as("from operation %d, failed: %s", n, failed)
          .isEqualTo(failed ? scenario.before() : scenario.after());
    }
    assertThat(committed).isPositive();
  }

  /** By what its destination tells, where its record has gone: explorer of jobs, seed 500649. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void aCommitThatFindsNoRoomIsToldThatTheJobIsCommitted(Scenario scenario) throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    StoppingPointsTest.setUp(cluster.client("setup"), scenario);
    StoppingPointsTest.commit(cluster.client("driver"), scenario);
    cluster.setFull(SimulatedJobs.POOL, true);
    JobCommit again =
        CommitJobStage.run(SimulatedJobs.job(cluster.client("another"), "j1"), scenario.request());
    assertThat(again.repeated()).isTrue();
  }

  /** By what its record says, where its destination has gone: explorer of jobs, seed 501452. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void aJobIsCommittedThoughItsDirectoryIsRemovedSince(Scenario scenario) throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    StoppingPointsTest.setUp(cluster.client("setup"), scenario);
    SimulatedClient driver = cluster.client("driver");
    driver
        .faults()
        .once(
            op -> op.write() && op.summary().contains("s=" + JobState.COMMITTED + ")"),
            Fault.CRASH_AFTER);
    assertThatThrownBy(() -> StoppingPointsTest.commit(driver, scenario))
        .isInstanceOf(ClientCrashed.class);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("other"));
    assertThat(fs.namespace().delete(SimulatedJobs.OUT, true)).isTrue();
    JobCommit again =
        CommitJobStage.run(SimulatedJobs.job(cluster.client("another"), "j1"), scenario.request());
    assertThat(again.repeated()).isTrue();
  }
}
