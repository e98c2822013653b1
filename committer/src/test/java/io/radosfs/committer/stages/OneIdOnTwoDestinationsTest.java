// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A MapReduce job with two outputs: both have its id, in one process. */
class OneIdOnTwoDestinationsTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  @Test
  void eachIsCommittedByItself() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    Job first = Job.of(fs, new FsPath("a"), "job");
    Job second = Job.of(fs, new FsPath("b"), "job");
    fs.setUpWithFile(first, "x");
    fs.setUpWithFile(second, "y");
    commit(first);
    SimulatedJobs reader = new SimulatedJobs(cluster.client("reader"));
    assertThat(reader.namespace().lookup(new FsPath("a/x"))).isPresent();
    assertThat(reader.namespace().lookup(new FsPath("b/y"))).isEmpty();
    commit(second);
    assertThat(reader.namespace().lookup(new FsPath("b/y"))).isPresent();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
  }
}
