// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The operation that decides a job is on its way when its driver gives up, as a query that is
 * stopped does. It may arrive at any time after that.
 */
class LateDecisionTest {

  private static final String EMPTY = "/out/p=1";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private boolean isCreated;

  /** An empty directory has no index, which others would meet locked. */
  private Job overwriteWithAnEmptyDirectory() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("setup"));
    fs.create("/out/old", 120);
    fs.namespace()
        .mkdirs(
            SimulatedJobs.OUT.child("p=1"),
            new SimulatedJobs(cluster.client("setup")).newDirectoryAttributes());
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    fs.setUpWithFile(job, "a");
    return job;
  }

  private void tryToCreate() {
    try {
      new SimulatedJobs(cluster.client("other")).create(EMPTY + "/new", 10);
      isCreated = true;
    } catch (IOException e) {
      // The directory is locked, or gone.
    }
  }

  @Test
  void nobodyAddsToADirectoryThatItMayYetRemove() throws IOException {
    overwriteWithAnEmptyDirectory();
    SimulatedClient driver = cluster.client("driver");
    driver.faults().once(JobOps.decides("j1"), Fault.INTERRUPT_LATE);
    driver
        .faults()
        .before(
            op -> {
              if (!isCreated && !driver.faults().struck().isEmpty()) {
                tryToCreate();
              }
            });
    CommitJobStage.Request request =
        new CommitJobStage.Request(
            Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), false);
    try {
      JobCommit commit = CommitJobStage.run(SimulatedJobs.job(driver, "j1"), request);
      assertThat(commit).isNotNull();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(driver.faults().struck()).isNotEmpty();
    cluster.landDelayedOps();
    new SimulatedJobs(cluster.client("janitor"), SimulatedJobs.COLLECTING)
        .collect(SimulatedJobs.COLLECTING);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    assertThat(new JobPoolCheck(cluster).tree())
        .isEqualTo(isCreated ? Map.of("a", 250L, "p=1/new", 10L) : Map.of("a", 250L));
  }
}
