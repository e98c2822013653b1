// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.docs.StoredStates;
import io.radosfs.connector.docs.Vectors;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The job that {@code committer/docs/storage-format.md} shows, object by object, is what the same
 * steps leave in a pool.
 */
class StoredJobTest {

  private static final String PAGE = "committer/docs/storage-format.md";
  private static final Vectors VECTORS = Vectors.of(PAGE);

  private final SimulatedClient client = SimulatedCluster.withPools(SimulatedJobs.POOL).client("a");
  private Job job;
  private StoredStates states;

  private static void isShown(String name, String stored) {
    assertThat(stored).as("block 'pool %s' of %s", name, PAGE).isEqualTo(VECTORS.pools().get(name));
  }

  /** One attempt is committed, one was aborted while it wrote, and one is writing. */
  @BeforeEach
  void work() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    job = Job.of(fs, SimulatedJobs.OUT, "job-1");
    states = new StoredStates(client, SimulatedJobs.POOL);
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/part-0", 7);
    var committed = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    assertThat(committed.files()).isEqualTo(1);
    fs.write(job, SimulatedJobs.attempt(1, 0), "p=2/part-1", 7);
    AbortTaskStage.run(job, SimulatedJobs.attempt(1, 0));
    fs.write(job, SimulatedJobs.attempt(1, 1), "p=2/part-1", 7);
  }

  @Test
  void running() throws IOException {
    new SimulatedJobs(client).write(job, SimulatedJobs.attempt(2, 0), "p=2/part-2", 7);
    isShown("running", states.first("omap w/m000002/0/"));
  }

  @Test
  void committed() throws IOException {
    var committed = CommitTaskStage.run(job, SimulatedJobs.attempt(1, 1), 1);
    assertThat(committed.files()).isEqualTo(1);
    var result =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.exactly(Set.of(SimulatedJobs.attempt(0, 0), SimulatedJobs.attempt(1, 1))),
                Overwrite.NOTHING,
                /* success= */ false));
    assertThat(result).isNotNull();
    isShown("decided", states.first("state=COMMITTED"));
    isShown("done", states.last());
  }
}
