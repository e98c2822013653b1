// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A task's program closes a file once its attempt is committed, perhaps in a thread of its own. The
 * manifest does not name it, so it could not become visible: whoever closes it is told.
 */
class LateFileTest {

  private static final long NOW = 1_700_000_000_000L;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final TaskAttempt attempt = SimulatedJobs.attempt(0, 0);

  @Test
  void aSmallFileThatIsClosedLate() throws IOException {
    closesLate(10, /* others= */ true);
  }

  @Test
  void aSmallFileThatIsTheOnlyOne() throws IOException {
    closesLate(10, /* others= */ false);
  }

  /** It was noted before the commit, which therefore fails. */
  @Test
  void aLargeFileThatIsOpenIsNoticedByTheCommit() throws IOException {
    SimulatedClient client = cluster.client("task");
    SimulatedJobs fs = new SimulatedJobs(client, NOW);
    Job job = SimulatedJobs.job(client, "job");
    SimulatedJobs.setUp(job);
    StripedOutputStream late = fs.open(job, attempt, "late");
    late.write(new byte[30_000]);
    assertThatThrownBy(() -> CommitTaskStage.run(job, attempt, NOW))
        .hasMessageContaining("late was never closed");
    late.close();
    CommitTaskStage.run(job, attempt, NOW);
  }

  @Test
  void aLargeFileThatIsBegunLate() throws IOException {
    closesLate(30_000, /* others= */ true);
  }

  @Test
  void aLargeFileThatIsTheOnlyOne() throws IOException {
    closesLate(30_000, /* others= */ false);
  }

  private void closesLate(int bytes, boolean others) throws IOException {
    SimulatedClient client = cluster.client("task");
    SimulatedJobs fs = new SimulatedJobs(client, NOW);
    Job job = SimulatedJobs.job(client, "job");
    SimulatedJobs.setUp(job);
    StripedOutputStream late = fs.open(job, attempt, "late");
    if (others) {
      fs.write(job, attempt, "a", 100);
    }
    CommitTaskStage.run(job, attempt, NOW);
    assertThatThrownBy(
            () -> {
              late.write(new byte[bytes]);
              late.close();
            })
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("attempt m000000/0 came too late: it is committed");
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("out/late"));
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }
}
