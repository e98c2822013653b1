// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.PoolInspector;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a job has written goes to a manifest, is prepared and becomes visible, or is removed,
 * between any two operations of {@code radosfs fsck}, and moves on between any two later ones: it
 * finds nothing wrong.
 */
@Execution(ExecutionMode.CONCURRENT)
class CheckedBesideJobsTest {

  /** More operations than any check takes; as long as it is not known how many. */
  private static final int MANY = 1_000;

  private static final Duration LONGEST_WAIT = Duration.ZERO;

  /** Something done while others look. */
  private interface Step {
    void run(SimulatedJobs fs, Job job) throws IOException;
  }

  /** From which place to which. */
  enum Transition {
    WORK_TO_MANIFEST_TO_INDEX(
        CheckedBesideJobsTest::write,
        CheckedBesideJobsTest::commitTask,
        (fs, job) -> commit(job, Overwrite.NOTHING)),
    MANIFEST_TO_INDEX_TO_ANOTHER(
        CheckedBesideJobsTest::writeAndCommitTask,
        (fs, job) -> commit(job, Overwrite.NOTHING),
        (fs, job) -> fs.namespace().rename(SimulatedJobs.OUT, FsPath.parse("/a"), false)),
    INDEX_TO_NOTHING_BY_AN_OVERWRITE(
        CheckedBesideJobsTest::writeAndCommitTask,
        (fs, job) -> commit(job, Overwrite.of(SimulatedJobs.OUT)),
        (fs, job) -> fs.namespace().rename(FsPath.parse("/out/p=1"), FsPath.parse("/a"), false)),
    REGISTRATION_TO_THE_LIST_OF_REMOVED_JOBS(
        CheckedBesideJobsTest::writeAndCommitTask,
        CheckedBesideJobsTest::removeDestination,
        (fs, job) -> {
          var unused = AbortJobStage.run(job);
        });

    private final Step setUp;
    private final Step first;
    private final Step second;

    Transition(Step setUp, Step first, Step second) {
      this.setUp = setUp;
      this.first = first;
      this.second = second;
    }
  }

  private static void write(SimulatedJobs fs, Job job) throws IOException {
    fs.write(job, SimulatedJobs.attempt(0, 0), "f", 250);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/f", 250);
  }

  private static void commitTask(SimulatedJobs fs, Job job) throws IOException {
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void writeAndCommitTask(SimulatedJobs fs, Job job) throws IOException {
    write(fs, job);
    commitTask(fs, job);
  }

  private static void commit(Job job, Overwrite overwrite) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, false));
  }

  private static void removeDestination(SimulatedJobs fs, Job job) throws IOException {
    boolean unused = fs.namespace().delete(SimulatedJobs.OUT, true);
  }

  @ParameterizedTest
  @EnumSource
  void fsckFindsNothing(Transition transition) throws IOException {
    int operations = MANY;
    for (int first = 1; first <= operations; first++) {
      for (int second = first + 1; second <= operations + 1; second += second - first) {
        operations = Math.min(operations, check(transition, first, second));
      }
    }
    assertThat(operations).isGreaterThan(20);
  }

  /** Answers how many operations the check took. */
  private static int check(Transition transition, int first, int second) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs =
        new SimulatedJobs(cluster.client("driver"), SimulatedJobs.WORKING, LONGEST_WAIT);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    transition.setUp.run(fs, job);
    SimulatedClient checker = cluster.client("checker");
    checker
        .faults()
        .before(
            op -> {
              if (op.number() == first) {
                transition.first.run(fs, job);
              } else if (op.number() == second) {
                transition.second.run(fs, job);
              }
            });
    PoolInspector.Result result = new SimulatedJobs(checker).check().run(true);
    String moves = transition + " at " + first + " and " + second;
    assertThat(result.findings()).as(moves).isEmpty();
    assertThat(result.unchecked()).as(moves).isEmpty();
    return checker.ops();
  }
}
