// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Two drivers set up one job. The pool is at its quota when the second makes the record, which is
 * there already: the job of the first stays as it is.
 */
class NoRoomForASecondDriverTest {

  @Test
  void theJobOfTheFirstStays() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    new SimulatedJobs(cluster.client("user")).create("/out/old", 120);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("first"));
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedClient second = cluster.client("second");
    boolean[] began = {false};
    second
        .faults()
        .before(
            op -> {
              if (!began[0] && op.write() && op.object().endsWith("//job/j1")) {
                began[0] = true;
                fs.setUpWithFile(job, "a");
              }
            })
        .once(
            op -> op.write() && op.object().endsWith("//job/j1"),
            Fault.failWith(StoreException.Kind.NO_SPACE));
    assertThatThrownBy(() -> SimulatedJobs.setUp(SimulatedJobs.job(second, "j1")))
        .isInstanceOf(StoreException.class);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    assertThat(new JobPoolCheck(cluster).tree()).containsKeys("a", "old");
  }
}
