// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A plan is written by operations that take no more than what the file system is mounted with. */
class StoredPlanTest {

  /** More than one part of a plan has. */
  private static final int DIRECTORIES = 12_000;

  private static int writesOfAPlan(BatchLimit limit) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient client = cluster.client("driver");
    Job job = Job.of(new SimulatedJobs(client, limit), SimulatedJobs.OUT, "job");
    SimulatedJobs.setUp(job);
    assertThat(job.record().change(JobState.RUNNING, JobState.COMMITTING))
        .contains(JobState.COMMITTING);
    Set<FsPath> directories = new TreeSet<>();
    for (int k = 0; k < DIRECTORIES; k++) {
      directories.add(SimulatedJobs.OUT.child("p=" + k));
    }
    int before = client.writes();
    StoredPlan stored = new StoredPlan(job);
    assertThat(
            stored.write(
                new JobPlan(Overwrite.NOTHING, Optional.empty(), Set.of(), directories, Set.of())))
        .isTrue();
    return client.writes() - before;
  }

  @Test
  void operationsTakeNoMoreThanTheMountAllows() throws IOException {
    assertThat(writesOfAPlan(BatchLimit.DEFAULT)).isEqualTo(1);
    assertThat(writesOfAPlan(new BatchLimit(16_384, 1_000))).isGreaterThan(2);
  }
}
