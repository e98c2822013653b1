// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two attempts of a task commit at the same time, each before it has seen the other, as where an
 * application master has given one up. The later one counts, whichever the record has first.
 */
class AttemptsAtOneTimeTest {

  @ParameterizedTest
  @CsvSource({"9, 10, 10", "10, 9, 10", "0, 1000, 1000", "2, 1, 2"})
  void theLaterAttemptCounts(int first, int second, String counts) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient client = cluster.client("first");
    Job job = SimulatedJobs.job(client, "j1");
    SimulatedJobs.setUp(job);
    Job others = SimulatedJobs.job(cluster.client("second"), "j1");
    write(job, first);
    write(others, second);

    AtomicBoolean met = new AtomicBoolean();
    FaultPlan faults =
        client
            .faults()
            .before(
                op -> {
                  if (op.write() && !met.getAndSet(true)) {
                    commit(others, second);
                  }
                });
    commit(job, first);
    faults.clear();
    assertThat(met).isTrue();
    JobCommit commit =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false));

    assertThat(commit.committedHere()).isTrue();
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("of-" + counts);
  }

  private static void write(Job job, int attempt) throws IOException {
    ((SimulatedJobs) job.fs()).write(job, id(attempt), "of-" + attempt, 20);
  }

  private static void commit(Job job, int attempt) throws IOException {
    var unused = CommitTaskStage.run(job, id(attempt), 0);
  }

  private static TaskAttempt id(int attempt) {
    return SimulatedJobs.attempt(0, attempt);
  }
}
