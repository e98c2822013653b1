// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpGate;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A driver takes a planned job over, and the answer is lost. Before it looks, another takes the job
 * over in its turn. The first must not go on by the other's id: what it prepares late would count.
 */
class UnansweredTakeoverTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
  private static final int SECONDS = 30;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final CountDownLatch otherHasTakenOver = new CountDownLatch(1);
  private final CountDownLatch otherGoesOn = new CountDownLatch(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final SimulatedClient slow = cluster.client("slow");
  private Future<JobCommit> other;
  private boolean otherTakesOver;
  private boolean prepared;

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  private void setUp() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("setup"));
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    fs.setUpWithFile(job, "p=1/a");
    Job planned =
        Job.of(
            new SimulatedJobs(
                cluster.client("planner"),
                SimulatedJobs.WORKING,
                Duration.ZERO,
                new DirectoryLoop() {
                  @Override
                  public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
                    throw new IOException("stopped before anything is prepared");
                  }
                }),
            SimulatedJobs.OUT,
            "j1");
    assertThatThrownBy(() -> CommitJobStage.run(planned, REQUEST)).hasMessageContaining("stopped");
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private JobCommit commit(String client) throws IOException {
    return CommitJobStage.run(SimulatedJobs.job(cluster.client(client), "j1"), REQUEST);
  }

  /** The other commits and cleans up; then a user deletes the file. */
  private void letTheOtherCommit() {
    try {
      otherGoesOn.countDown();
      assertThat(other.get(SECONDS, TimeUnit.SECONDS).repeated()).isTrue();
      assertThat(new JobPoolCheck(cluster).tree()).containsKey("p=1/a");
      assertThat(
              new SimulatedJobs(cluster.client("user"))
                  .namespace()
                  .delete(SimulatedJobs.OUT.child("p=1").child("a"), false))
          .isTrue();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsPreparedLateDoesNotCount() throws Exception {
    setUp();
    slow.faults().once(JobOps.takesOver("j1"), Fault.LOSE_ANSWER);
    cluster.setGate(
        new OpGate() {
          @Override
          public void before(OpInfo op) {
            if (op.client().equals("slow")) {
              if (other == null && !slow.faults().struck().isEmpty()) {
                other = thread.submit(() -> commit("other"));
                waitFor(otherHasTakenOver);
              } else if (!prepared && op.write() && op.object().equals("out/p=1/")) {
                prepared = true;
                letTheOtherCommit();
              }
            } else if (op.client().equals("other")) {
              if (otherTakesOver && otherHasTakenOver.getCount() > 0) {
                otherHasTakenOver.countDown();
                waitFor(otherGoesOn);
              }
              otherTakesOver |= JobOps.takesOver("j1").test(op);
            }
          }
        });
    JobCommit commit = commit("slow");
    assertThat(prepared).isTrue();
    assertThat(commit.repeated()).isTrue();
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("old", "_SUCCESS");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }
}
