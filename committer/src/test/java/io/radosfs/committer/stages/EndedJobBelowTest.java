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
 * A job on one directory of a table has failed, and a task of it still writes. A job on the table
 * replaces that directory; whoever would move it is told why it cannot yet, and what to do.
 */
class EndedJobBelowTest {

  private static final FsPath DAY = new FsPath("out/day=1");

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private Job ended(SimulatedJobs fs) throws IOException {
    fs.create("/out/day=1/old", 120);
    Job ended = Job.of(fs, DAY, "ended");
    SimulatedJobs.setUp(ended);
    StripedOutputStream out = fs.open(ended, SimulatedJobs.attempt(0, 0), "a");
    out.write(new byte[30_000], 0, 30_000);
    assertThat(AbortJobStage.run(ended)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    return ended;
  }

  @Test
  void whoWouldMoveItIsToldThatTheJobHasEnded() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("user"));
    Job ended = ended(fs);
    assertThatThrownBy(() -> fs.namespace().rename(DAY, new FsPath("elsewhere"), false))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("job ended has ended there, but tasks of it may still write")
        .hasMessageContaining("radosfs jobs recover --force");

    cluster.client("user").crash("killed with its executor");
    SimulatedJobs operator =
        new SimulatedJobs(cluster.client("operator"), SimulatedJobs.COLLECTING);
    assertThat(operator.abort(ended, SimulatedJobs.COLLECTING).rest()).isFalse();
    operator.namespace().rename(DAY, new FsPath("elsewhere"), false);
    assertThat(new JobPoolCheck(cluster).tree())
        .containsOnlyKeys("__radosfs_elsewhere/elsewhere/old");
  }

  /** What its task has written is found all the same. */
  @Test
  void itIsReplaced() throws IOException {
    Job unused = ended(new SimulatedJobs(cluster.client("user")));

    Job job = SimulatedJobs.job(cluster.client("driver"), "job");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, "day=2/new");
    overwrite(job);
    JobPoolCheck check = new JobPoolCheck(cluster);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "day=2/new");

    cluster.client("user").crash("killed with its executor");
    new SimulatedJobs(cluster.client("collector"), SimulatedJobs.COLLECTING)
        .collect(SimulatedJobs.COLLECTING);
    check.assertNothingLeft();
  }

  private static void overwrite(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), true));
  }
}
