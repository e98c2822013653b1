package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.stages.StoppingPointsTest.Scenario;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
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
                assertThat(new PoolCheck(trial.cluster()).tree())
                    .as("%s", driver)
                    .isEqualTo(driver.succeeded() ? scenario.after() : scenario.before());
              }
            })
        .everyStoppingPoint();
  }
}
