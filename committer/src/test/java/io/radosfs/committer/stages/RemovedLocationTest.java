// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Others remove or rename the location of a partition, which is outside of the destination, beside
 * the job's commit. Spark repeats no commit: this one makes the location again, as it makes one
 * that is missing.
 */
class RemovedLocationTest {

  private static final FsPath LOCATION = new FsPath("loc/p=1");
  private static final FsPath MOVED = new FsPath("moved");

  /** What others do. */
  private enum Change {
    DELETE {
      @Override
      void by(SimulatedJobs other) throws IOException {
        boolean unused = other.namespace().delete(LOCATION, true);
      }
    },
    RENAME {
      @Override
      void by(SimulatedJobs other) throws IOException {
        other.namespace().rename(LOCATION, MOVED, false);
      }
    };

    abstract void by(SimulatedJobs other) throws IOException;
  }

  static Stream<Arguments> changes() {
    return Stream.of(Change.values())
        .flatMap(
            change ->
                Stream.of(
                    Arguments.of(change, Overwrite.NOTHING, false),
                    Arguments.of(change, Overwrite.NOTHING, true),
                    Arguments.of(change, Overwrite.WRITTEN_PARTITIONS, false),
                    Arguments.of(change, Overwrite.WRITTEN_PARTITIONS, true)));
  }

  /**
   * @param empty whether nothing was in the location
   */
  @ParameterizedTest
  @MethodSource("changes")
  void theCommitMakesItAgain(Change change, Overwrite overwrite, boolean empty) throws IOException {
    int before = 0;
    for (int at = 1; ; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      SimulatedJobs other = new SimulatedJobs(cluster.client("other"), 0, Duration.ZERO);
      other.create("/loc/p=1/old", 10);
      if (empty) {
        assertThat(other.namespace().delete(LOCATION.child("old"), false)).isTrue();
      }
      SimulatedClient driver = cluster.client("driver");
      Job job = SimulatedJobs.job(driver, "j1");
      SimulatedJobs.setUp(job);
      SimulatedJobs fs = (SimulatedJobs) job.fs();
      fs.write(job, SimulatedJobs.attempt(0, 0), "p=2/part-1", 20);
      String elsewhere = JobPaths.ELSEWHERE + "/" + LOCATION.key() + "/part-1";
      fs.write(job, SimulatedJobs.attempt(0, 0), elsewhere, 30);
      var task = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 0);
      assertThat(task.files()).isEqualTo(2);

      int operation = at;
      AtomicInteger operations = new AtomicInteger();
      AtomicBoolean undecided = new AtomicBoolean();
      FaultPlan unused =
          driver
              .faults()
              .before(
                  op -> {
                    if (operations.incrementAndGet() == operation) {
                      undecided.set(changes(change, other, job));
                    }
                  });
      JobCommit commit =
          CommitJobStage.run(
              job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, false));
      if (operations.get() < at) {
        assertThat(before).as("changes before the decision").isGreaterThan(5);
        return;
      }

      assertThat(commit.committedHere()).isTrue();
      Map<String, Long> tree = new JobPoolCheck(cluster).tree();
      assertThat(tree).as("changed before operation " + at).containsEntry("p=2/part-1", 20L);
      if (undecided.get()) {
        before++;
        assertThat(tree).as("changed before operation " + at).containsEntry(elsewhere, 30L);
      }
      new SimulatedJobs(cluster.client("collects"), SimulatedJobs.COLLECTING)
          .collect(SimulatedJobs.COLLECTING);
      new JobPoolCheck(cluster).assertNothingLeft();
    }
  }

  /** Returns whether that could be done, and the job was not decided then. */
  private static boolean changes(Change change, SimulatedJobs other, Job job) {
    try {
      boolean pending =
          other
              .transactions()
              .state(job.registration())
              .equals(Optional.of(Transactions.State.PENDING));
      change.by(other);
      return pending;
    } catch (IOException e) {
      return false; // The job holds it, or nothing is left there.
    }
  }
}
