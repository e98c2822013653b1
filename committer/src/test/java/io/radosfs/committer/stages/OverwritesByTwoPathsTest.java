// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Report;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two jobs replace what is in one directory: one by the table's path, the other by the directory's
 * own. So they take different overwrite locks. What the later one commits stays, and nothing else.
 */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class OverwritesByTwoPathsTest {

  /** Far longer than either takes. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final FsPath ELSEWHERE = new FsPath("table");

  /** What the job by the table's path replaces. */
  enum ByTable {
    WRITTEN_PARTITIONS(SimulatedJobs.OUT, Overwrite.WRITTEN_PARTITIONS),
    WHOLE(SimulatedJobs.OUT, Overwrite.of(SimulatedJobs.OUT)),
    /** The partition that both write has a location outside the table's directory. */
    LOCATIONS(ELSEWHERE, Overwrite.WRITTEN_PARTITIONS),
    /** One has all below a location replaced. */
    A_LOCATION_ABOVE(ELSEWHERE, Overwrite.of(SimulatedJobs.OUT));

    private final FsPath path;
    private final Overwrite overwrite;

    ByTable(FsPath path, Overwrite overwrite) {
      this.path = path;
      this.overwrite = overwrite;
    }
  }

  /** What is there before. */
  enum Before {
    /** One that both are to remove: each sees that the other has. */
    A_FILE,
    /** Nothing that both are to remove. */
    A_DIRECTORY,
    /** Not even the directory: that job is set up while the other one commits. */
    NOTHING
  }

  /**
   * A case.
   *
   * @param below where both write to, in the directory whose path one of them has
   * @param longestWait for each other
   */
  record Case(ByTable table, Before before, String below, Duration longestWait) {

    private Case waiting(Duration longest) {
      return new Case(table, before, below, longest);
    }

    /** Below the table. */
    private String file(String name) {
      return "p=1/" + below + name;
    }

    private Job job(SimulatedClient client, FsPath destination) throws IOException {
      SimulatedJobs fs =
          new SimulatedJobs(client, SimulatedJobs.WORKING, longestWait, DirectoryLoop.sequential());
      return Job.of(fs, destination, destination.name());
    }

    private Job ofTable(SimulatedClient client) throws IOException {
      return job(client, table.path);
    }

    private void setUpTable(SimulatedClient client) throws IOException {
      FsPath file = SimulatedJobs.OUT.resolve(file("table"));
      new SimulatedJobs(client).setUpWithFile(ofTable(client), JobPaths.relative(table.path, file));
    }

    private Job ofPartition(SimulatedClient client) throws IOException {
      return job(client, SimulatedJobs.OUT.child("p=1"));
    }

    private void setUp(SimulatedClient client) throws IOException {
      SimulatedJobs fs = new SimulatedJobs(client);
      if (before == Before.A_FILE) {
        fs.create("/out/" + file("old"), 120);
      }
      setUpTable(client);
      if (before != Before.NOTHING) {
        fs.setUpWithFile(ofPartition(client), below + "partition");
      }
    }

    private void commitTable(SimulatedClient client) throws IOException {
      commit(ofTable(client), table.overwrite);
    }

    private void commitPartition(SimulatedClient client) throws IOException {
      Job job = ofPartition(client);
      if (before == Before.NOTHING) {
        new SimulatedJobs(client).setUpWithFile(job, below + "partition");
      }
      commit(job, Overwrite.of(job.destination()));
    }

    private Job jobOf(String which, SimulatedClient client) throws IOException {
      return which.equals("table") ? ofTable(client) : ofPartition(client);
    }

    private void commitAs(String which, SimulatedClient client) throws IOException {
      if (which.equals("table")) {
        commitTable(client);
      } else {
        commitPartition(client);
      }
    }

    private Experiment experiment() {
      return Experiment.named("two jobs overwrite one directory by two paths, " + this)
          .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
          .setUp(this::setUp);
    }
  }

  static Stream<Case> cases() {
    return Arrays.stream(ByTable.values())
        .flatMap(
            table ->
                Arrays.stream(Before.values())
                    .flatMap(
                        before ->
                            Stream.of("", "q=1/")
                                .map(below -> new Case(table, before, below, Duration.ZERO))));
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

  private static void checkTree(Trial trial, Case of, String... either) throws IOException {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    Set<String> tree = check.tree().keySet();
    assertThat(tree).hasSize(1).isSubsetOf(Arrays.stream(either).map(of::file).toList());
    check.assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theDataOfTheLaterOneStays(Case zero) {
    Case waiting = zero.waiting(LONGEST_WAIT);
    waiting
        .experiment()
        .program("table", waiting::commitTable)
        .program("partition", waiting::commitPartition)
        .check(
            trial -> {
              assertThat(trial.outcome("table").failure()).isNull();
              assertThat(trial.outcome("partition").failure()).isNull();
              checkTree(trial, waiting, "table", "partition");
            })
        .randomInterleavings(20_261_127, 20);
  }

  /**
   * One commits whole before each operation of the other, and after the last. It fails where it
   * cannot wait, but not where the other has not begun, or has ended.
   */
  private static void commitBetween(Case of, String first, String second) {
    AtomicInteger committed = new AtomicInteger();
    Report insertions =
        of.experiment()
            .program(first, client -> of.commitAs(first, client))
            .program(second, client -> of.commitAs(second, client))
            .check(
                trial -> {
                  assertThat(trial.outcome(first).failure()).isNull();
                  if (trial.outcome(second).failure() == null) {
                    committed.incrementAndGet();
                    checkTree(trial, of, first, second);
                  } else {
                    assertThat(trial.outcome(second).failure())
                        .isInstanceOf(TransactionConflictException.class);
                    checkTree(trial, of, first);
                  }
                })
            .everyInsertion();
    if (!insertions.leftOut()) {
      assertThat(committed.get()).isBetween(2, insertions.trials() - 1);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void thatOfThePartitionComesBetween(Case zero) {
    commitBetween(zero, "table", "partition");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void thatOfTheTableComesBetween(Case zero) {
    commitBetween(zero, "partition", "table");
  }

  /** It writes nothing to a directory that it replaces, so that it does not list it. */
  @Test
  void whatIsReplacedWholeIsLookedAtToo() throws IOException {
    Case each = new Case(ByTable.WHOLE, Before.A_DIRECTORY, "q=1/", Duration.ZERO);
    SimulatedClient client = SimulatedCluster.withPools(SimulatedJobs.POOL).client("user");
    each.setUp(client);
    Job lower = each.ofPartition(client);
    assertThat(lower.fs().transactions().takeOverwriteLock(lower.registration(), Set.of()))
        .isTrue();
    Job upper = each.ofTable(client);
    FsPath between = SimulatedJobs.OUT.child("p=1").child("q=2");
    assertThatThrownBy(() -> commit(upper, Overwrite.of(between)))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /out/p=1, which transaction");
  }

  static Stream<Case> casesWithADirectory() {
    return cases().filter(each -> each.before() != Before.NOTHING);
  }

  /** One dies at each point, is ended, and the other one commits. */
  private static void dieAndCommit(Case of, String dying, String other) {
    var unused =
        of.experiment()
            .program(dying, client -> of.commitAs(dying, client))
            .faults(List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER))
            .recover(
                client -> {
                  var outcome = SimulatedJobs.endLongAfter(of.jobOf(dying, client));
                  of.commitAs(other, client);
                })
            .check(trial -> checkTree(trial, of, other))
            .everyStoppingPoint();
  }

  /** It may have asked for the lock, or hold it: whoever ends its job ends that. */
  @ParameterizedTest
  @MethodSource("casesWithADirectory")
  void thatOfThePartitionDies(Case zero) {
    dieAndCommit(zero, "partition", "table");
  }

  /** Its locks end with its job, also where its plan does not tell of them. */
  @ParameterizedTest
  @MethodSource("casesWithADirectory")
  void thatOfTheTableDies(Case zero) {
    dieAndCommit(zero, "table", "partition");
  }
}
