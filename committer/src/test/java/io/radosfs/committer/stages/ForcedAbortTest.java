// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * {@code radosfs jobs abort --force} of a job that lives: a task is writing. What it writes until
 * it is told is led to, also if its application is killed next.
 */
@Disabled(
    "open: a leak: `jobs abort --force` is to keep the record until no process of the job is left")
class ForcedAbortTest {

  @Test
  void aTaskThatIsWritingLeavesNothingThatNothingLeadsTo() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient client = cluster.client("task");
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    StripedOutputStream out = fs.open(job, SimulatedJobs.attempt(0, 0), "a");
    out.write(new byte[30_000], 0, 30_000);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    // As JobsAbortCommand does with --force.
    new SimulatedJobs(cluster.client("operator"), SimulatedJobs.WORKING).recover(Long.MAX_VALUE);
    out.write(new byte[30_000], 0, 30_000);
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .anyMatch(name -> name.startsWith("out/a"));
    client.crash("killed with its application");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }
}
