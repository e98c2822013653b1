// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.LoggedLines;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

/** A job without {@code _SUCCESS} is committed, and some of its manifests are gone. */
class FoundWithoutManifestTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  /** The line has no exception, which would say that nothing was made visible. */
  @Test
  void itsRepeatedCommitSaysNothingOfAFailure() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("setup"));
    fs.setUpWithFile(Job.of(fs, SimulatedJobs.OUT, "j1"), "a");
    SimulatedClient driver = cluster.client("driver");
    driver.faults().once(JobOps.decides("j1"), Fault.CRASH_AFTER);
    assertThatThrownBy(() -> CommitJobStage.run(SimulatedJobs.job(driver, "j1"), REQUEST))
        .isInstanceOf(ClientCrashed.class);
    cluster
        .client("cleaner")
        .open(SimulatedJobs.POOL, "")
        .write(
            "out//job/j1",
            WriteOp.builder().removeOmap("m/" + SimulatedJobs.attempt(0, 0)).build());
    String logged =
        LoggedLines.of(
            Level.INFO,
            List.of(CommitJobStage.class.getName()),
            () ->
                assertThat(
                        CommitJobStage.run(
                                SimulatedJobs.job(cluster.client("second"), "j1"), REQUEST)
                            .repeated())
                    .isTrue());
    assertThat(logged).contains("some are gone").doesNotContain("nothing was made visible");
  }
}
