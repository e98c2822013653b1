// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.LoggedLines;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
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

  /** Appends a file by a driver that is interrupted by the operation that decides. */
  private Throwable interruptedAppend(Fault interrupt) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("setup"));
    fs.setUpWithFile(Job.of(fs, SimulatedJobs.OUT, "j1"), "a");
    SimulatedClient driver = cluster.client("driver");
    driver.faults().once(JobOps.decides("j1"), interrupt);
    CommitJobStage.Request append =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);
    Throwable failure =
        catchThrowable(() -> CommitJobStage.run(SimulatedJobs.job(driver, "j1"), append));
    assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
    assertThat(driver.faults().struck()).hasSize(1);
    cluster.landDelayedOps();
    return failure;
  }

  /** As where the object is degraded: a read that does not wait for the decision shows none. */
  @Test
  void anInterruptedDriverWhoseDecisionReadsOvertakeIsNotToldThatTheJobIsNotCommitted()
      throws IOException {
    String logged =
        LoggedLines.of(
            Level.WARN,
            List.of(CommitJobStage.class.getName()),
            () -> assertThat(interruptedAppend(Fault.INTERRUPT_OVERTAKEN)).isNull());
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(Map.of("a", 250L));
    assertThat(logged).doesNotContain("is not committed").contains("is committed");
  }

  @Test
  void anInterruptedDriverWhoseDecisionWasNotSentIsToldThatTheJobIsNotCommitted()
      throws IOException {
    String logged =
        LoggedLines.of(
            Level.WARN,
            List.of(CommitJobStage.class.getName()),
            () ->
                assertThat(interruptedAppend(Fault.INTERRUPT))
                    .isInstanceOf(InterruptedIOException.class));
    assertThat(new JobPoolCheck(cluster).tree()).isEmpty();
    assertThat(logged).contains("is not committed");
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
