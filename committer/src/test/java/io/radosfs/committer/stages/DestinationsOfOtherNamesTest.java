// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.fs.PathIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's transaction is told from a rename's by its owner, which begins with the destination. */
class DestinationsOfOtherNamesTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  @ParameterizedTest
  @ValueSource(strings = {"rename x/table", "removal x/table", "rename x"})
  void aJobThatWouldBeTakenForARenameIsRefused(String destination) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.create("/there/before", 5);
    var before = cluster.objects(SimulatedJobs.POOL, "").keySet();
    Job job = Job.of(fs, new FsPath(destination), "j1");
    assertThatThrownBy(() -> SimulatedJobs.setUp(job))
        .isInstanceOf(PathIOException.class)
        .hasMessageContaining("Rename that directory");
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsOnlyKeys(before);
  }

  @Test
  void oneBelowAnotherDirectoryIsNot() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    Job job = Job.of(fs, new FsPath("out/rename x"), "j1");
    fs.setUpWithFile(job, "a");
    assertThat(job.record().head()).isPresent();
  }
}
