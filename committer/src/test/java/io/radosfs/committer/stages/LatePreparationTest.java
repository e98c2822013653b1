// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A driver goes on preparing, in directories that it makes, after others have ended its job, and
 * dies. Something leads to all that it has made, also where the job writes no {@code _SUCCESS}.
 */
@Execution(ExecutionMode.CONCURRENT)
class LatePreparationTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);

  /** Something that ends the job. */
  interface End {
    void of(SimulatedClient client) throws IOException;
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/part-0", 250);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=2/q=1/part-0", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void commit(SimulatedClient client) throws IOException {
    var unused = CommitJobStage.run(SimulatedJobs.job(client, "j1"), REQUEST);
  }

  private static void abort(SimulatedClient client) throws IOException {
    var unused = AbortJobStage.run(SimulatedJobs.job(client, "j1"));
  }

  private static void collect(SimulatedClient client) throws IOException {
    new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING);
  }

  /** The next job on the destination takes the first one for dead. */
  private static void setUpNext(SimulatedClient client) throws IOException {
    Job next = Job.of(new SimulatedJobs(client, SimulatedJobs.COLLECTING), SimulatedJobs.OUT, "j2");
    SetupJobStage.run(
        next,
        SimulatedJobs.info("j2"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        SimulatedJobs.LEASE);
    var unused = AbortJobStage.run(next);
  }

  private static void checkPool(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    assertThat(new JobPoolCheck(trial.cluster()).tree())
        .isIn(Map.of("old", 120L), Map.of("old", 120L, "p=1/part-0", 250L, "p=2/q=1/part-0", 250L));
  }

  /** Long after. */
  private static void nothingLeft(SimulatedCluster cluster) throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeftButMarks();
  }

  private static void explore(String name, End end) {
    Experiment experiment =
        Experiment.named(name)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(LatePreparationTest::setUp)
            .program("driver", LatePreparationTest::commit)
            .program("other", end::of)
            .checkBeforeRecovery(LatePreparationTest::checkPool)
            .recover(LatePreparationTest::collect)
            .check(
                trial -> {
                  checkPool(trial);
                  nothingLeft(trial.cluster());
                });
    experiment.everyInsertionThenCrash();
  }

  @Test
  void afterAnAbort() {
    explore("a driver prepares after an abort", LatePreparationTest::abort);
  }

  @Test
  void afterACollection() {
    explore("a driver prepares after a collection", LatePreparationTest::collect);
  }

  @Test
  void afterTheNextJobWasSetUp() {
    explore("a driver prepares after the next job was set up", LatePreparationTest::setUpNext);
  }

  /** Works on the first directories as given, and on the others in order. */
  private static DirectoryLoop beginning(DirectoryLoop first) {
    AtomicBoolean begun = new AtomicBoolean();
    return new DirectoryLoop() {
      @Override
      public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
        (begun.getAndSet(true) ? DirectoryLoop.sequential() : first).run(directories, work);
      }
    };
  }

  /** The job as one driver has it, who has planned it, and was stopped before it staged. */
  private static Job planned(SimulatedCluster cluster) throws IOException {
    Job planned =
        job(
            cluster.client("planner"),
            new DirectoryLoop() {
              @Override
              public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
                throw new IOException("stopped before anything is prepared");
              }
            });
    assertThatThrownBy(() -> CommitJobStage.run(planned, REQUEST)).hasMessageContaining("stopped");
    return planned;
  }

  /** One has planned the job and aborts it, while another commits it by that plan. */
  @Test
  void byAnotherDriverThanPlannedTheJob() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    Job planned = planned(cluster);
    SimulatedClient client = cluster.client("driver");
    Job taken =
        job(
            client,
            new DirectoryLoop() {
              @Override
              public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
                var unused = AbortJobStage.run(planned);
                DirectoryLoop.sequential().run(directories, work);
                throw client.crash("died after it had prepared");
              }
            });
    assertThatThrownBy(() -> CommitJobStage.run(taken, REQUEST)).isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey("out/p=2/q=1/");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    nothingLeft(cluster);
  }

  /**
   * Another has committed the job, cleaned up after it and forgotten it; a directory of it was
   * removed since. What comes to be there then is led to by its maker's ledger alone.
   */
  @Test
  void afterAnotherHasCommittedItAndADirectoryWasRemoved() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    Job planned = planned(cluster);
    SimulatedClient client = cluster.client("driver");
    Job late =
        job(
            client,
            new DirectoryLoop() {
              @Override
              public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
                var unused = CommitJobStage.run(planned, REQUEST);
                boolean removed =
                    new SimulatedJobs(cluster.client("remover"))
                        .namespace()
                        .delete(SimulatedJobs.OUT.child("p=2"), true);
                assertThat(removed).isTrue();
                DirectoryLoop.sequential().run(directories, work);
                throw client.crash("died after it had prepared");
              }
            });
    assertThatThrownBy(() -> CommitJobStage.run(late, REQUEST)).isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey("out/p=2/q=1/");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    nothingLeft(cluster);
  }

  /** Found by the explorer: the report of a driver that died arrives when all is over. */
  @Test
  void aReportThatArrivesLateIsCollected() throws IOException {
    CommitJobStage.Request reporting =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    SimulatedClient driver = cluster.client("driver");
    var unused =
        driver
            .faults()
            .once(op -> op.write() && op.object().equals("out/_SUCCESS"), Fault.CRASH_LATE);
    assertThatThrownBy(() -> CommitJobStage.run(SimulatedJobs.job(driver, "j1"), reporting))
        .isInstanceOf(ClientCrashed.class);
    SimulatedClient other = cluster.client("other");
    var committed = CommitJobStage.run(SimulatedJobs.job(other, "j1"), reporting);
    assertThat(committed.repeated()).isTrue();
    assertThat(new SimulatedJobs(other).namespace().delete(SimulatedJobs.OUT, true)).isTrue();
    cluster.landDelayedOps();
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey("out/_SUCCESS");
    nothingLeft(cluster);
  }

  /** Whoever planned a job and aborts it itself leaves nothing to be collected. */
  @Test
  void anAbortAfterOnesOwnCommitLeavesNoRecord() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    Job job =
        job(
            cluster.client("planner"),
            new DirectoryLoop() {
              @Override
              public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
                DirectoryLoop.sequential().run(directories, work);
                throw new IOException("stopped after something was prepared");
              }
            });
    assertThatThrownBy(() -> CommitJobStage.run(job, REQUEST)).hasMessageContaining("stopped");
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** A job of a client whose first directories are worked on so. */
  private static Job job(SimulatedClient client, DirectoryLoop first) throws IOException {
    return Job.of(
        new SimulatedJobs(client, SimulatedJobs.WORKING, Duration.ZERO, beginning(first)),
        SimulatedJobs.OUT,
        "j1");
  }
}
