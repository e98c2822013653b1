// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * A collector notes that a job has no record, and the answer is lost. Before it repeats that, an
 * operator ends the job by {@code radosfs jobs recover --force}. Nothing would lead to a second
 * note.
 */
class UnansweredNoticeTest {

  @Test
  void noNoteIsMadeOfAJobThatOthersHaveEnded() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    fs.transactions().register(job.registration());
    SimulatedClient collector = cluster.client("collector");
    boolean[] lost = {false};
    collector
        .faults()
        .before(
            op -> {
              if (lost[0]) {
                lost[0] = false;
                new SimulatedJobs(cluster.client("operator"), SimulatedJobs.COLLECTING)
                    .recover(Long.MAX_VALUE);
              }
            })
        .once(
            op -> {
              boolean here = op.write() && op.object().equals(job.record().name());
              lost[0] |= here;
              return here;
            },
            Fault.LOSE_ANSWER);
    new SimulatedJobs(collector, SimulatedJobs.COLLECTING).recover(SimulatedJobs.WORKING);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }
}
