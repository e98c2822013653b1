// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.simulated.OpenWrites;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Each write of a commit is applied without anybody learning it, and later everything fails. A
 * commit that may have taken effect is not reported as failed: whoever runs the job again would
 * double its data.
 */
@Execution(ExecutionMode.CONCURRENT)
class OpenCommitTest {

  private static final Map<String, Long> BEFORE = Map.of("old", 120L);

  private static void setUp(SimulatedClient client, String... files) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    for (String file : files) {
      fs.write(job, SimulatedJobs.attempt(0, 0), file, 250);
    }
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void commit(SimulatedClient client, Overwrite overwrite) throws IOException {
    var unused =
        CommitJobStage.run(
            SimulatedJobs.job(client, "j1"),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, false));
  }

  private static void explore(Overwrite overwrite, Map<String, Long> after, String... files) {
    int struck = 0;
    for (Map.Entry<Fault, Integer> open : OpenWrites.FAULTS.entrySet()) {
      for (int good = 0; good <= open.getValue(); good++) {
        int write = 1;
        while (isStruck(overwrite, after, files, open.getKey(), write, good)) {
          write++;
        }
        struck += write - 1;
      }
    }
    assertThat(struck).isPositive();
  }

  /** Answers whether there was such a write. */
  private static boolean isStruck(
      Overwrite overwrite,
      Map<String, Long> after,
      String[] files,
      Fault open,
      int write,
      int good) {
    boolean[] struck = new boolean[1];
    Experiment.named("commit, %s at write %d, all fail after %d".formatted(open, write, good))
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUp(client, files))
        .standingFault("driver", plan -> OpenWrites.strike(plan, open, write, good))
        .program("driver", client -> commit(client, overwrite))
        .check(
            trial -> {
              struck[0] = !trial.cluster().client("driver").faults().struck().isEmpty();
              check(trial, after);
            })
        .once();
    return struck[0];
  }

  private static void check(Trial trial, Map<String, Long> after) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    Map<String, Long> tree = new JobPoolCheck(trial.cluster()).tree();
    Outcome outcome = trial.outcome("driver");
    if (!outcome.failed()) {
      assertThat(tree).isEqualTo(after);
    } else if (AppliedErrors.saidUnknown(outcome)) {
      assertThat(tree).isIn(BEFORE, after);
    } else {
      assertThat(tree).as("%s", outcome).isEqualTo(BEFORE);
    }
  }

  @Test
  void anAppendToOneDirectory() {
    explore(Overwrite.NOTHING, Map.of("old", 120L, "a", 250L), "a");
  }

  @Test
  void anAppendToSeveralDirectories() {
    explore(Overwrite.NOTHING, Map.of("old", 120L, "p=1/a", 250L, "p=2/b", 250L), "p=1/a", "p=2/b");
  }

  @Test
  void anOverwrite() {
    explore(Overwrite.of(SimulatedJobs.OUT), Map.of("a", 250L, "p=1/b", 250L), "a", "p=1/b");
  }
}
