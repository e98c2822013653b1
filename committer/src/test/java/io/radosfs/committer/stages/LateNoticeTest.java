// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A collector notes that a job has no record, and is held up, for so long that others have ended
 * the job and forgotten it. What it makes then is listed.
 */
class LateNoticeTest {

  @Test
  void whatACollectorMakesLateIsListed() throws IOException {
    boolean reached = true;
    int held = 1;
    for (; reached; held++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
      fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
      Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
      fs.transactions().register(job.registration());
      AtomicBoolean met =
          cluster
              .client("late")
              .faults()
              .before(new TreeMap<>(Map.of(held, op -> collectOften(cluster, "other"))));
      new SimulatedJobs(cluster.client("late"), SimulatedJobs.COLLECTING)
          .recover(SimulatedJobs.WORKING);
      reached = met.get();
      PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
      collectOften(cluster, "last");
      assertThat(cluster.objects(SimulatedJobs.POOL, ""))
          .as("held up at operation " + held)
          .doesNotContainKey(job.record().name());
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  /** Each long after the one before. */
  private static void collectOften(SimulatedCluster cluster, String collector) throws IOException {
    for (int i = 2; i < 8; i++) {
      new SimulatedJobs(cluster.client(collector), i * SimulatedJobs.COLLECTING)
          .recover((i - 1) * SimulatedJobs.COLLECTING);
    }
  }
}
