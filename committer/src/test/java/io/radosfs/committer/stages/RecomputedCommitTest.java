// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A commit that replaces more files than fit one operation. While it prepares them, a user deletes
 * those that it has not come to. It is computed again, and fits one operation then, beside what the
 * first try has prepared.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecomputedCommitTest {

  private static final BatchLimit FOUR_NAMES = new BatchLimit(4, 1 << 20);
  private static final int OLD = 6;

  /** Returns whether the commit came to an operation of this number. */
  private static boolean deletedBefore(int operation) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs user = new SimulatedJobs(cluster.client("user"));
    for (int i = 0; i < OLD; i++) {
      user.create("/out/old" + i, 120);
    }
    user.setUpWithFile(Job.of(user, SimulatedJobs.OUT, "j1"), "new");
    SimulatedClient driver = cluster.client("driver");
    SortedMap<Integer, FaultPlan.Interlude> deletion = new TreeMap<>();
    deletion.put(operation, op -> deleteWhatIsFree(user));
    AtomicBoolean reached = driver.faults().before(deletion);

    Job job = Job.of(new SimulatedJobs(driver, FOUR_NAMES), SimulatedJobs.OUT, "j1");
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), false));

    JobPoolCheck check = new JobPoolCheck(cluster);
    assertThat(check.tree()).as("deleted before %d", operation).isEqualTo(Map.of("new", 250L));
    check.assertNothingLeft();
    return reached.get();
  }

  private static void deleteWhatIsFree(SimulatedJobs user) throws IOException {
    for (int i = 0; i < OLD; i++) {
      FsPath old = SimulatedJobs.OUT.child("old" + i);
      try {
        boolean unused = user.namespace().delete(old, false);
      } catch (TransactionConflictException e) {
        // The commit is about to remove it.
        assertThat(user.namespace().lookup(old)).isPresent();
      }
    }
  }

  @Test
  void goesOnBesideWhatItHasPrepared() throws IOException {
    int operation = 1;
    while (deletedBefore(operation)) {
      operation++;
    }
    assertThat(operation).isGreaterThan(10);
  }
}
