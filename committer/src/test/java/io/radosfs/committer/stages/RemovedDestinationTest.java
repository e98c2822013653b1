// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.LoggedLines;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Somebody removes the destination of a job in the middle of its commit, or half of it. */
@Execution(ExecutionMode.CONCURRENT)
class RemovedDestinationTest {

  private static void setUp(SimulatedClient client, String... files) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    for (String file : files) {
      fs.write(job, SimulatedJobs.attempt(0, 0), file, 250);
    }
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void remove(SimulatedClient client) throws IOException {
    boolean unused = new SimulatedJobs(client).namespace().delete(SimulatedJobs.OUT, true);
  }

  /** As an engine does: what is not committed is aborted. */
  private static void commitOrAbort(SimulatedClient client, Overwrite overwrite)
      throws IOException {
    Job job = SimulatedJobs.job(client, "j1");
    try {
      var unused =
          CommitJobStage.run(
              job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, false));
    } catch (IOException e) {
      var unused = AbortJobStage.run(job);
      throw e;
    }
  }

  private static void explore(String name, Overwrite overwrite, String... files) {
    Experiment.named(name)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUp(client, files))
        .program("driver", client -> commitOrAbort(client, overwrite))
        .program("remover", RemovedDestinationTest::remove)
        .recover(
            client ->
                new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING))
        .check(RemovedDestinationTest::nothingIsLost)
        .everyInsertionOfCrash();
  }

  private static void nothingIsLost(Trial trial) throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(trial.cluster().client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    assertThat(trial.outcome("driver").crashed()).isFalse();
  }

  @Test
  void ofAJobThatAppends() {
    explore("commit of an append, its destination removed", Overwrite.NOTHING, "p=1/a", "p=2/b");
  }

  @Test
  void ofAJobThatOverwrites() {
    explore(
        "commit of an overwrite, its destination removed",
        Overwrite.of(SimulatedJobs.OUT),
        "a",
        "p=1/b");
  }

  /** As {@link #commitOrAbort}, but the commit fails when all is prepared. */
  private static void abort(SimulatedClient client) throws IOException {
    client.faults().once(JobOps.decides("j1"), Fault.failWith(Kind.NO_SPACE));
    commitOrAbort(client, Overwrite.of(SimulatedJobs.OUT));
  }

  /**
   * Found by the explorer. An index that a job had prepared is led to by the job's record, and that
   * by the list of removed jobs: no leak, though nothing was collected yet.
   */
  @Test
  void whatItHadPreparedIsNoLeak() {
    Experiment.named("abort of a job, its destination removed, and nothing collected")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUp(client, "a", "p=1/b"))
        .program("driver", RemovedDestinationTest::abort)
        .recover(RemovedDestinationTest::remove)
        .check(trial -> PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, "")))
        .faults(List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER))
        .everyStoppingPoint();
  }

  private static void commit(SimulatedClient client, boolean success) throws IOException {
    var unused =
        CommitJobStage.run(
            SimulatedJobs.job(client, "j1"),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, success));
  }

  /** Commits, leaves the record behind, and removes what was committed. */
  private static void commitAndRemove(SimulatedClient client) throws IOException {
    FaultPlan unused =
        client
            .faults()
            .once(
                op -> op.object().equals("out//job/j1") && op.summary().endsWith("remove"),
                Fault.failWith(Kind.PERMISSION_DENIED));
    commit(client, /* success= */ false);
    remove(client);
  }

  /**
   * Found by the explorer. A driver that comes late does not say that the job failed which another
   * has committed: a user who runs it again would have what was renamed away meanwhile twice.
   */
  @Test
  void aDriverThatComesLateSaysThatTheJobIsCommitted() {
    Experiment.named("commit beside one whose output is removed")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUp(client, "p=1/a", "p=2/b"))
        .program("driver", client -> commit(client, /* success= */ false))
        .program("other", RemovedDestinationTest::commitAndRemove)
        .recover(
            client ->
                new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING))
        .check(
            trial -> {
              nothingIsLost(trial);
              assertThat(trial.outcome("driver").succeeded())
                  .as("%s", trial.outcome("driver"))
                  .isTrue();
            })
        .everyInsertion();
  }

  /** Found by the explorer: the report goes between its look-up and its reading. */
  @Test
  void aReportThatIsRemovedWhileItIsRead() {
    Experiment.named("commit of what is committed, and removed meanwhile")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(
            client -> {
              setUp(client, "a");
              commit(client, /* success= */ true);
            })
        .program("driver", client -> commit(client, /* success= */ true))
        .program("remover", RemovedDestinationTest::remove)
        .check(
            trial -> {
              Outcome driver = trial.outcome("driver");
              if (!driver.succeeded()) {
                assertThat(driver.failure()).isInstanceOf(JobEndedException.class);
              }
            })
        .everyInsertion();
  }

  /** Whose tasks fail, and whose user would run the job once more. */
  @Test
  void anApplicationMasterThatComesAfterItSaysThatTheJobIsCommitted() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("driver"), "a");
    FaultPlan unused =
        cluster
            .client("driver")
            .faults()
            .once(op -> op.write() && op.summary().contains("e/a=<"), Fault.CRASH_AFTER);
    assertThatThrownBy(() -> commit(cluster.client("driver"), /* success= */ true))
        .isInstanceOf(ClientCrashed.class);
    remove(cluster.client("user"));
    SimulatedClient master = cluster.client("second master");
    Job own = SimulatedJobs.job(master, "j1-2");
    List<Job> earlier = List.of(SimulatedJobs.job(master, "j1"));
    Job[] resumed = new Job[1];
    String warning =
        LoggedLines.warningOf(
            SetupJobStage.class.getName(),
            () ->
                resumed[0] =
                    SetupJobStage.resume(
                        own,
                        earlier,
                        SimulatedJobs.info("j1-2"),
                        OverwriteConflict.WAIT,
                        JobLease.NONE));
    assertThat(resumed[0].id()).isEqualTo("j1");
    assertThat(warning).contains("job j1", "is committed already");
  }

  /** The driver dies when the commit is decided, before it is resolved in the shards. */
  @Test
  void whatAJobHasEmptiedIsEmpty() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs.shard(cluster.client("setup"), SimulatedJobs.OUT);
    Job job = SimulatedJobs.job(cluster.client("driver"), "j1");
    SimulatedJobs.setUp(job);
    FaultPlan unused =
        cluster.client("driver").faults().once(JobOps.decides("j1"), Fault.CRASH_AFTER);
    assertThatThrownBy(
            () ->
                CommitJobStage.run(
                    job,
                    new CommitJobStage.Request(
                        Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), false)))
        .isInstanceOf(ClientCrashed.class);
    Namespace user = new SimulatedJobs(cluster.client("user")).namespace();
    assertThat(user.list(SimulatedJobs.OUT)).isEmpty();
    assertThat(user.delete(SimulatedJobs.OUT, false)).isTrue();
    assertThat(user.lookup(SimulatedJobs.OUT)).isEmpty();
  }
}
