// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two jobs at once, each of which is to fail if others have written there: the later one does,
 * however they meet.
 */
class FailModeOfTwoJobsTest {

  private static Job setUp(SimulatedClient client, String id) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    fs.setUpWithFile(job, "p=1/" + id);
    return job;
  }

  private static void commit(Job job, RequireEmpty empty) throws IOException {
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true)
                .requiring(empty));
  }

  @ParameterizedTest
  @EnumSource(names = {"DESTINATION", "WRITTEN_PARTITIONS"})
  void theLaterOneFails(RequireEmpty empty) throws IOException {
    boolean more = true;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      Job first = setUp(cluster.client("first"), "first");
      SimulatedClient client = cluster.client("second");
      Job second = setUp(client, "second");
      boolean[] firstSucceeds = {false};
      AtomicBoolean ran = before(client, at, op -> firstSucceeds[0] = succeeds(first, empty));
      boolean secondSucceeds = succeeds(second, empty);
      assertThat(List.of(firstSucceeds[0], secondSucceeds))
          .as("whether each succeeds, as one commits before operation %d of the other", at)
          .containsExactlyInAnyOrder(true, false);
      more = ran.get();
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
  }

  /** Before the client's next operation but so many; returns whether it came to that. */
  private static AtomicBoolean before(SimulatedClient client, int at, FaultPlan.Interlude other) {
    return client
        .faults()
        .before(new TreeMap<Integer, FaultPlan.Interlude>(Map.of(client.ops() + at, other)));
  }

  private static boolean succeeds(Job job, RequireEmpty empty) throws IOException {
    try {
      commit(job, empty);
      return true;
    } catch (PathExistsException e) {
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
      return false;
    }
  }

  /** Others remove the empty directory that it finds, whenever they do. */
  @Test
  void anEmptyDirectoryThatIsRemovedMeanwhileIsNoReasonToFail() throws IOException {
    boolean more = true;
    int removals = 0;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      SimulatedClient client = cluster.client("driver");
      Job job = setUp(client, "j1");
      SimulatedJobs user = new SimulatedJobs(cluster.client("user"));
      FsPath partition = SimulatedJobs.OUT.child("p=1");
      user.namespace().mkdirs(partition, user.newDirectoryAttributes());
      boolean[] removed = {false};
      AtomicBoolean ran = before(client, at, op -> removed[0] = isRemoved(user, partition));
      commit(job, RequireEmpty.WRITTEN_PARTITIONS);
      assertThat(new JobPoolCheck(cluster).tree()).containsKey("p=1/j1");
      removals += removed[0] ? 1 : 0;
      more = ran.get();
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
    assertThat(removals).isGreaterThan(3);
  }

  /** It is in use by the job's commit, or has its file, if it is not. */
  private static boolean isRemoved(SimulatedJobs user, FsPath directory) throws IOException {
    try {
      return user.namespace().delete(directory, false);
    } catch (PathIsNotEmptyDirectoryException | TransactionConflictException e) {
      return false;
    }
  }

  /** Its plan is of a time when nothing was there. */
  @ParameterizedTest
  @EnumSource(names = {"DESTINATION", "WRITTEN_PARTITIONS"})
  void theOneFailsThatGoesOnAfterItsDriverDied(RequireEmpty empty) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient driver = cluster.client("driver");
    Job job = setUp(driver, "j1");
    driver.faults().once(op -> op.write() && op.object().equals("out/_SUCCESS"), Fault.CRASH_AFTER);
    assertThatThrownBy(() -> commit(job, empty)).isInstanceOf(ClientCrashed.class);
    commit(setUp(cluster.client("other"), "other"), RequireEmpty.NOTHING);
    Job again = SimulatedJobs.job(cluster.client("next"), "j1");
    assertThatThrownBy(() -> commit(again, empty)).isInstanceOf(PathExistsException.class);
    assertThat(AbortJobStage.run(again)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    JobPoolCheck check = new JobPoolCheck(cluster);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "p=1/other");
  }
}
