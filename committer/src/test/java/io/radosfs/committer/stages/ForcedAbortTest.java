// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * {@code radosfs jobs abort --force} of a job that lives: a task is writing. What it writes until
 * it is told is led to, also if its application is killed next.
 */
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
    abort(cluster, job);
    out.write(new byte[30_000], 0, 30_000);
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .anyMatch(name -> name.startsWith("out/a"));
    client.crash("killed with its application");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    abort(cluster, job);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }

  /** The driver has registered its job. What it makes late is led to, even if it dies then. */
  @Test
  void aDriverThatIsAboutToMakeItsRecordLeavesNoneThatNothingLeadsTo() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient driver = cluster.client("driver");
    new SimulatedJobs(driver).create("/out/old", 120);
    Job job = SimulatedJobs.job(driver, "j1");
    driver
        .faults()
        .before(
            op -> {
              if (op.write() && op.object().equals(job.record().name())) {
                abort(cluster, job);
              }
            })
        .once(op -> op.write() && op.object().equals(job.record().name()), Fault.CRASH_AFTER);
    assertThatThrownBy(() -> SimulatedJobs.setUp(job)).isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey(job.record().name());
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    for (int i = 2; i <= 5; i++) {
      long time = i * SimulatedJobs.COLLECTING;
      new SimulatedJobs(cluster.client("janitor"), time).collect(time - 1);
    }
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static void abort(SimulatedCluster cluster, Job job) throws IOException {
    var recovered =
        new SimulatedJobs(cluster.client("operator"), SimulatedJobs.COLLECTING)
            .abort(job, SimulatedJobs.WORKING);
    assertThat(recovered.outcome()).isEqualTo(JobUpkeep.Outcome.ABORTED);
  }
}
