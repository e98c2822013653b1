// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.stages.StoppingPointsTest.Scenario;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a destination lists for deletion and nobody can delete, as somebody else's damaged line,
 * keeps no job from its end: nothing is left of it.
 */
class UndeletableAtTheDestinationTest {

  private static final String INDEX = "out/";

  /** Two of the first task, one of the second. */
  private static final List<TaskAttempt> ATTEMPTS =
      List.of(
          SimulatedJobs.attempt(0, 0), SimulatedJobs.attempt(0, 1), SimulatedJobs.attempt(1, 0));

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final String damaged = "x/" + Uid.random();

  static Stream<Scenario> scenarios() {
    Set<String> wanted = Set.of("append to several directories", "static overwrite");
    return StoppingPointsTest.scenarios().filter(scenario -> wanted.contains(scenario.name()));
  }

  private void change(WriteOp.Builder change) throws IOException {
    cluster.client("damages").open(SimulatedJobs.POOL, "").write(INDEX, change.build());
  }

  /** With an attempt whose files do not count. */
  private Job damagedWithTasks(SimulatedClient driver, Scenario scenario) throws IOException {
    SimulatedJobs user = new SimulatedJobs(cluster.client("user"));
    for (String path : scenario.old()) {
      user.create(Scenario.full(path).toString(), 120);
    }
    change(WriteOp.builder().setOmap(damaged, new byte[] {'?', '!'}));
    Job job = SimulatedJobs.job(driver, "j1");
    SimulatedJobs.setUp(job);
    SimulatedJobs fs = (SimulatedJobs) job.fs();
    for (TaskAttempt attempt : ATTEMPTS) {
      int task = ATTEMPTS.indexOf(attempt) / 2;
      for (String file : scenario.files()[task]) {
        fs.write(job, attempt, file, 250);
      }
      var unused = CommitTaskStage.run(job, attempt, 1);
    }
    return job;
  }

  private boolean isLedTo(String record) {
    return cluster.objects(SimulatedJobs.POOL, "").get(INDEX).omap().containsKey("j/j1")
        || cluster.objects(SimulatedJobs.POOL, "").containsKey(record);
  }

  /** The damaged line is all that is left. */
  private void nothingElseIsLeft() throws IOException {
    assertThat(cluster.objects(SimulatedJobs.POOL, "").get(INDEX).omap()).containsKey(damaged);
    change(WriteOp.builder().removeOmap(List.of(damaged)));
    new JobPoolCheck(cluster).assertNothingLeft();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aJobThatCommitsIsCleanedUp(Scenario scenario) throws IOException {
    Job job = damagedWithTasks(cluster.client("driver"), scenario);
    var unused = CommitJobStage.run(job, scenario.request());
    assertThat(isLedTo(job.record().name())).isFalse();
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(scenario.after());
    nothingElseIsLeft();
  }

  private Job diedAtTheDecision(Scenario scenario, Fault crash) throws IOException {
    SimulatedClient driver = cluster.client("driver");
    Job job = damagedWithTasks(driver, scenario);
    DeathAtTheDecision.of(driver, "j1", crash);
    assertThatThrownBy(() -> CommitJobStage.run(job, scenario.request()))
        .isInstanceOf(ClientCrashed.class);
    return SimulatedJobs.job(cluster.client("other"), "j1");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aJobThatHadDecidedIsEnded(Scenario scenario) throws IOException {
    Job job = diedAtTheDecision(scenario, Fault.CRASH_AFTER);
    assertThat(SimulatedJobs.endLongAfter(job)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
    assertThat(isLedTo(job.record().name())).isFalse();
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(scenario.after());
    nothingElseIsLeft();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aJobThatHadPlannedIsAborted(Scenario scenario) throws IOException {
    Job job = diedAtTheDecision(scenario, Fault.CRASH_BEFORE);
    assertThat(SimulatedJobs.endLongAfter(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(isLedTo(job.record().name())).isFalse();
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(scenario.before());
    nothingElseIsLeft();
  }
}
