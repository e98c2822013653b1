// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.retry.ContentionException;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A job that appends to many directories, while small ones append beside it, one upon another: each
 * before it has looked at all its directories once.
 */
@Execution(ExecutionMode.CONCURRENT)
class LongAppendTest {

  private static final int DIRECTORIES = 40;
  private static final int BETWEEN = 30;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private int committed;

  private static void commit(Job job, boolean success) throws IOException {
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, success));
  }

  private void commitBeside(boolean success) throws IOException {
    SimulatedClient client = cluster.client("driver");
    SimulatedJobs fs = new SimulatedJobs(client);
    Job job = Job.of(fs, SimulatedJobs.OUT, "long");
    SimulatedJobs.setUp(job);
    for (int k = 0; k < DIRECTORIES; k++) {
      fs.write(job, SimulatedJobs.attempt(0, 0), "p=" + k + "/a", 10);
    }
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    SimulatedJobs others = new SimulatedJobs(cluster.client("others"));
    int begun = client.ops();
    FaultPlan plan =
        client
            .faults()
            .before(
                op -> {
                  if (client.ops() - begun > BETWEEN * (committed + 1)) {
                    Job small = Job.of(others, SimulatedJobs.OUT, "small" + committed);
                    others.setUpWithFile(small, "of small" + committed);
                    commit(small, success);
                    committed++;
                  }
                });
    commit(job, true);
  }

  /** All of them replace one name: a limit that is documented. */
  @Test
  void failsWithNothingVisibleInTheEnd() throws IOException {
    assertThatThrownBy(() -> commitBeside(true))
        .isInstanceOf(ContentionException.class)
        .hasMessageContaining("after 200 attempts");
    assertThat(committed).isGreaterThan(100);
    assertThat(new JobPoolCheck(cluster).tree()).doesNotContainKey("p=0/a");
  }

  @Test
  void commitsBesideThoseThatWriteNoReport() throws IOException {
    commitBeside(false);
    assertThat(committed).isGreaterThan(1);
    assertThat(new JobPoolCheck(cluster).tree())
        .containsKeys("p=0/a", "p=39/a", "of small0", "_SUCCESS");
    new JobPoolCheck(cluster).assertNothingLeft();
  }
}
