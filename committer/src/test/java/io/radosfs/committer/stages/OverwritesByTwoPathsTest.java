// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two jobs replace what is in one directory: one by the table's path, the other by the directory's
 * own. So they take different overwrite locks.
 */
@Execution(ExecutionMode.CONCURRENT)
class OverwritesByTwoPathsTest {

  /** Far longer than either takes. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** What the job by the table's path replaces. */
  enum ByTable {
    WRITTEN_PARTITIONS(Overwrite.WRITTEN_PARTITIONS),
    WHOLE(Overwrite.of(SimulatedJobs.OUT));

    private final Overwrite overwrite;

    ByTable(Overwrite overwrite) {
      this.overwrite = overwrite;
    }
  }

  private static FsPath partition() throws IOException {
    return SimulatedJobs.OUT.child("p=1");
  }

  private static Job job(SimulatedClient client, FsPath destination, Duration longestWait)
      throws IOException {
    SimulatedJobs fs =
        new SimulatedJobs(client, SimulatedJobs.WORKING, longestWait, DirectoryLoop.sequential());
    return Job.of(fs, destination, destination.name());
  }

  private static void setUpWithFile(SimulatedClient client) throws IOException {
    new SimulatedJobs(client).create("/out/p=1/old", 120);
    setUp(client);
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.setUpWithFile(job(client, SimulatedJobs.OUT, Duration.ZERO), "p=1/table");
    fs.setUpWithFile(job(client, partition(), Duration.ZERO), "partition");
  }

  private static void commit(Job job, Overwrite overwrite) throws IOException {
    try {
      var unused =
          CommitJobStage.run(
              job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, false));
    } catch (TransactionConflictException e) {
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
      throw e;
    }
  }

  private static Experiment experiment(ByTable table, Duration longestWait) {
    return Experiment.named("two jobs overwrite one directory by two paths, " + table)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(OverwritesByTwoPathsTest::setUpWithFile)
        .program(
            "table", client -> commit(job(client, SimulatedJobs.OUT, longestWait), table.overwrite))
        .program(
            "partition",
            client -> commit(job(client, partition(), longestWait), Overwrite.of(partition())));
  }

  private static void checkTree(Trial trial, String... either) throws IOException {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    assertThat(check.tree().keySet()).hasSize(1).isSubsetOf(either);
    check.assertNothingLeft();
  }

  @ParameterizedTest
  @EnumSource
  void theDataOfTheLaterOneStays(ByTable table) {
    experiment(table, LONGEST_WAIT)
        .check(
            trial -> {
              assertThat(trial.outcome("table").failure()).isNull();
              assertThat(trial.outcome("partition").failure()).isNull();
              checkTree(trial, "p=1/table", "p=1/partition");
            })
        .randomInterleavings(20_261_127, 20);
  }

  /** One commits whole before each operation of the other; it fails where it cannot wait. */
  @ParameterizedTest
  @EnumSource
  void whateverComesBetween(ByTable table) {
    var unused =
        experiment(table, Duration.ZERO)
            .check(
                trial -> {
                  assertThat(trial.outcome("table").failure()).isNull();
                  if (trial.outcome("partition").failure() == null) {
                    checkTree(trial, "p=1/table", "p=1/partition");
                  } else {
                    assertThat(trial.outcome("partition").failure())
                        .isInstanceOf(TransactionConflictException.class);
                    checkTree(trial, "p=1/table");
                  }
                })
            .everyInsertion();
  }

  /** Nothing is there that both remove, and nothing tells the two of each other. A page says so. */
  @ParameterizedTest
  @EnumSource
  void bothMayStayWhereNothingWasThere(ByTable table) {
    Set<Set<String>> trees = new HashSet<>();
    var unused =
        experiment(table, Duration.ZERO)
            .setUp(OverwritesByTwoPathsTest::setUp)
            .check(
                trial -> {
                  JobPoolCheck check = new JobPoolCheck(trial.cluster());
                  trees.add(Set.copyOf(check.tree().keySet()));
                  check.assertNothingLeft();
                })
            .everyInsertion();
    assertThat(trees)
        .containsExactlyInAnyOrder(
            Set.of("p=1/table"), Set.of("p=1/partition"), Set.of("p=1/table", "p=1/partition"));
  }
}
