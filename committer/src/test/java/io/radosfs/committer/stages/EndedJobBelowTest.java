// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A job on one directory of a table has failed, and a task of it still writes. What would replace
 * or move that directory is told why it cannot yet, and what to do.
 */
class EndedJobBelowTest {

  private static final FsPath DAY = new FsPath("out/day=1");

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  @Test
  void whoWouldReplaceItIsToldThatTheJobHasEnded() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("user"));
    fs.create("/out/day=1/old", 120);
    Job ended = Job.of(fs, DAY, "ended");
    SimulatedJobs.setUp(ended);
    StripedOutputStream out = fs.open(ended, SimulatedJobs.attempt(0, 0), "a");
    out.write(new byte[30_000], 0, 30_000);
    assertThat(AbortJobStage.run(ended)).isEqualTo(AbortJobStage.Outcome.ABORTED);

    Job job = SimulatedJobs.job(cluster.client("driver"), "job");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, "day=2/new");
    assertThatThrownBy(() -> overwrite(job)).satisfies(EndedJobBelowTest::saysSo);
    assertThatThrownBy(() -> fs.namespace().rename(DAY, new FsPath("elsewhere"), false))
        .satisfies(EndedJobBelowTest::saysSo);

    cluster.client("user").crash("killed with its executor");
    var recovered =
        new SimulatedJobs(cluster.client("operator"), SimulatedJobs.COLLECTING)
            .abort(ended, SimulatedJobs.COLLECTING);
    assertThat(recovered.rest()).isFalse();
    overwrite(job);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("_SUCCESS", "day=2/new");
  }

  private static void overwrite(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), true));
  }

  private static void saysSo(Throwable failure) {
    assertThat(failure)
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("job ended has ended there, but tasks of it may still write")
        .hasMessageContaining("radosfs jobs recover --force");
  }
}
