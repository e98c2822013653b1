// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Jobs whose set-up fails. Spark calls nothing more for such a job, so nothing of it may stay alive
 * as long as its driver does, nor keep others from moving or replacing its destination.
 */
class FailedSetupTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private static void setUp(SimulatedJobs fs, String id) throws IOException {
    SetupJobStage.run(
        Job.of(fs, SimulatedJobs.OUT, id),
        SimulatedJobs.info(id),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        SimulatedJobs.lease(1));
  }

  @Test
  void aJobThatIsNotSetUpIsEnded() throws IOException {
    int failures = 0;
    boolean struck = true;
    for (int op = 1; struck; op++) {
      SimulatedClient driver =
          SimulatedCluster.withPools(SimulatedJobs.POOL).client("driver " + op);
      SimulatedJobs fs = new SimulatedJobs(driver);
      driver.faults().atOp(op, Fault.failWith(Kind.OTHER));
      try {
        setUp(fs, "j");
      } catch (IOException e) {
        failures++;
        int writes = driver.writes();
        fs.heartbeats().beat();
        assertThat(driver.writes() - writes).as("heartbeats after operation %d", op).isZero();
        assertThat(fs.jobsThatKeepItOpen()).as("after operation %d", op).isZero();
        assertThat(fs.record(SimulatedJobs.OUT, "j").head()).as("operation %d", op).isEmpty();
        if (fs.namespace().lookup(SimulatedJobs.OUT).isPresent()) {
          fs.namespace().rename(SimulatedJobs.OUT, new FsPath("moved"), false);
        }
      }
      struck = !driver.faults().struck().isEmpty();
    }
    assertThat(failures).isGreaterThan(12);
  }

  /** Others may be kept from their work until its lease ends. */
  @Test
  void aJobWhoseFileSystemIsClosedMeanwhileLeavesNothing() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.close();
    assertThatThrownBy(() -> setUp(fs, "j")).hasMessage("Filesystem closed");
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.contains("//job/"));
    assertThat(fs.registry().below(FsPath.ROOT, Failures.END)).isEmpty();
  }

  /** That of another job, which an administrator has to look at. */
  @Test
  void aRegistrationThatCannotBeReadKeepsNoJobFromBeingSetUpOrEnded() throws IOException {
    SimulatedJobs dead = new SimulatedJobs(cluster.client("dead"));
    setUp(dead, "a");
    dead.heartbeats().beat();
    setUp(dead, "z");
    dead.heartbeats().beat();
    cluster
        .client("vandal")
        .open(SimulatedJobs.POOL, "")
        .write(
            ObjectNames.index(SimulatedJobs.OUT),
            WriteOp.builder()
                .assertExists()
                .setOmap(
                    IndexKeys.transactionStatus("m"), "decision 9".getBytes(StandardCharsets.UTF_8))
                .build());
    SimulatedJobs later = new SimulatedJobs(cluster.client("later"), SimulatedJobs.COLLECTING);
    setUp(later, "j");
    assertThat(later.record(SimulatedJobs.OUT, "a").head()).as("ended by the set-up").isEmpty();
    later.heartbeats().beat();
    setUp(dead, "b");
    dead.heartbeats().beat();
    later.recover(SimulatedJobs.COLLECTING - 1);
    assertThat(later.record(SimulatedJobs.OUT, "b").head()).as("ended by recovery").isEmpty();
    assertThat(later.record(SimulatedJobs.OUT, "j").head()).as("alive").isPresent();
  }
}
