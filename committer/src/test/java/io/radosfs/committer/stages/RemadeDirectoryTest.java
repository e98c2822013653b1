// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A directory that a job replaces is removed while the job commits, and made anew at the same path,
 * with other files in it.
 */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class RemadeDirectoryTest {

  private static final FsPath REMADE = new FsPath("out/p=1");

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/p=1/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "part-0", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  /** As an engine does: what is not committed is aborted. */
  private static void commitOrAbort(SimulatedClient client) throws IOException {
    Job job = SimulatedJobs.job(client, "j1");
    try {
      var unused =
          CommitJobStage.run(
              job,
              new CommitJobStage.Request(
                  Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), true));
    } catch (IOException e) {
      var unused = AbortJobStage.run(job);
      throw e;
    }
  }

  private static void remake(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    if (fs.namespace().delete(REMADE, true)) {
      fs.create("/out/p=1/q=1/new", 60);
      fs.create("/out/new", 60);
    }
  }

  private static void collectAll(Trial trial) throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(trial.cluster().client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
  }

  private static void checkAll(Trial trial) throws IOException {
    collectAll(trial);
    Map<String, Long> committed = Map.of("part-0", 250L, "_SUCCESS", -1L);
    Map<String, Long> made = Map.of("new", 60L, "p=1/q=1/new", 60L);
    Map<String, Long> tree = new HashMap<>(new JobPoolCheck(trial.cluster()).tree());
    if (trial.outcome("driver").failure() == null) {
      // Of what was made meanwhile it has removed what it saw.
      assertThat(tree.entrySet()).containsAll(committed.entrySet());
      tree.keySet().removeAll(committed.keySet());
      assertThat(made.entrySet()).containsAll(tree.entrySet());
    } else {
      assertThat(tree).isEqualTo(made);
    }
  }

  /**
   * Found by the explorer: the lock named the directory of before, and the new one's data leaked.
   */
  @Test
  void isRemovedWithAllThatIsInIt() {
    Experiment.named("overwrite of a directory that is made anew meanwhile")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(RemadeDirectoryTest::setUp)
        .program("driver", RemadeDirectoryTest::commitOrAbort)
        .program("other", RemadeDirectoryTest::remake)
        .check(RemadeDirectoryTest::checkAll)
        .everyInsertion();
  }

  /** The lock may have been put right, or not yet, when the driver dies. */
  @Test
  void isWholeOrGoneIfTheDriverDies() {
    Experiment.named("overwrite of a directory that is made anew meanwhile, by a driver that dies")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(RemadeDirectoryTest::setUp)
        .program("driver", RemadeDirectoryTest::commitOrAbort)
        .program("other", RemadeDirectoryTest::remake)
        .recover(
            client ->
                new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING))
        .check(RemadeDirectoryTest::collectAll)
        .everyInsertionThenCrash();
  }
}
