// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A job that is aborted takes back the directory that its set-up has made, and no other. */
@Execution(ExecutionMode.CONCURRENT)
class MadeDestinationTest {

  private SimulatedCluster cluster;
  private SimulatedJobs fs;
  private Job job;

  @BeforeEach
  void aJobIsSetUp() throws IOException {
    cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    fs = new SimulatedJobs(cluster.client("driver"));
    job = Job.of(fs, SimulatedJobs.OUT, "j1");
  }

  private boolean isThere() throws IOException {
    return new SimulatedJobs(cluster.client("reader"))
        .namespace()
        .lookup(SimulatedJobs.OUT)
        .isPresent();
  }

  private void setUpAndWrite() throws IOException {
    setUpAndWrite(job);
  }

  private static void setUpAndWrite(Job job) throws IOException {
    SimulatedJobs.setUp(job);
    ((SimulatedJobs) job.fs()).write(job, SimulatedJobs.attempt(0, 0), "p=1/a", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false));
  }

  private void assertNothingLeft() throws IOException {
    new JobPoolCheck(cluster).assertNothingLeft();
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet()).doesNotContain("out/");
  }

  private boolean isListed() {
    return cluster.objects(SimulatedJobs.POOL, "").get("//ledgers").omap().keySet().stream()
        .anyMatch(key -> key.endsWith(job.record().name()));
  }

  @Test
  void anAbortRemovesIt() throws IOException {
    setUpAndWrite();
    var unused = AbortJobStage.run(job);
    assertThat(isThere()).isFalse();
    assertNothingLeft();
    var again = AbortJobStage.run(job);
    assertThat(again).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(isListed()).isTrue();
    collect(cluster);
    assertThat(isListed()).isFalse();
  }

  /** Found by the explorer: it makes a record, to which nothing led when the other was done. */
  @Test
  @Tag("exploration")
  void aCollectionMeanwhileLeavesNoRecord() {
    Experiment experiment =
        Experiment.named("abort of a job that has made its destination, beside a collection")
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> SimulatedJobs.setUp(first(client)))
            .program("driver", MadeDestinationTest::abort)
            .program("janitor", MadeDestinationTest::collectOnce)
            .check(MadeDestinationTest::collect);
    assertThat(experiment.everyInterleaving(20_000, 2).complete()).isTrue();
  }

  private static void collectOnce(SimulatedClient client) throws IOException {
    new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING);
  }

  @Test
  void aRerunMakesItAgainAndCommits() throws IOException {
    setUpAndWrite();
    var unused = AbortJobStage.run(job);
    Job again = Job.of(fs, SimulatedJobs.OUT, "j2");
    setUpAndWrite(again);
    commit(again);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("p=1/a");
  }

  @Test
  void aDirectoryThatWasThereStays() throws IOException {
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    setUpAndWrite();
    var unused = AbortJobStage.run(job);
    assertThat(isThere()).isTrue();
  }

  /** Another of the same name is not the job's own, even if it is empty. */
  @Test
  void aDirectoryThatWasMadeInItsPlaceStays() throws IOException {
    setUpAndWrite();
    assertThat(fs.namespace().delete(SimulatedJobs.OUT, true)).isTrue();
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    var unused = AbortJobStage.run(job);
    assertThat(isThere()).isTrue();
  }

  @Test
  void itStaysWithAFileInIt() throws IOException {
    setUpAndWrite();
    fs.create("/out/by-hand", 10);
    var unused = AbortJobStage.run(job);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("by-hand");
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  @Test
  void itStaysForAnotherJobThatWritesThere() throws IOException {
    setUpAndWrite();
    Job other = Job.of(fs, SimulatedJobs.OUT, "j2");
    setUpAndWrite(other);
    var unused = AbortJobStage.run(job);
    assertThat(isThere()).isTrue();
    commit(other);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("p=1/a");
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** Only its own job knows that it was made for a job: a limit that is documented. */
  @Test
  void itStaysWhereTheOtherJobFailsAsWell() throws IOException {
    setUpAndWrite();
    Job other = Job.of(fs, SimulatedJobs.OUT, "j2");
    setUpAndWrite(other);
    var unused = AbortJobStage.run(job);
    unused = AbortJobStage.run(other);
    assertThat(isThere()).isTrue();
    assertThat(new JobPoolCheck(cluster).tree()).isEmpty();
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** A task is still writing when the driver gives up: nobody waits for it. */
  @Test
  void itGoesThoughTheRecordStays() throws IOException {
    setUpAndWrite();
    StripedOutputStream open = fs.open(job, SimulatedJobs.attempt(1, 0), "b");
    open.write(new byte[20_000], 0, 20_000);
    var unused = AbortJobStage.run(job);
    assertThat(isThere()).isFalse();
    assertThat(job.record().state()).isPresent();
    assertThat(isListed()).isTrue();
    collect(cluster);
    assertThat(isThere()).isFalse();
  }

  @Test
  void aRecoveryOfADeadDriversJobRemovesIt() throws IOException {
    setUpAndWrite();
    new SimulatedJobs(cluster.client("other"), SimulatedJobs.COLLECTING)
        .recover(SimulatedJobs.WORKING);
    assertThat(isThere()).isFalse();
    assertNothingLeft();
  }

  private static Job first(SimulatedClient client) throws IOException {
    return Job.of(new SimulatedJobs(client), SimulatedJobs.OUT, "j1");
  }

  private static void abort(SimulatedClient client) throws IOException {
    var unused = AbortJobStage.run(first(client));
  }

  private static void collect(Trial trial) throws IOException {
    collect(trial.cluster());
  }

  /** Until long after the last process of the job has gone. */
  private static void collect(SimulatedCluster cluster) throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static boolean isThere(Trial trial) throws IOException {
    return new SimulatedJobs(trial.cluster().client("reader"))
        .namespace()
        .lookup(SimulatedJobs.OUT)
        .isPresent();
  }

  @Test
  @Tag("exploration")
  void anAbortThatStopsAnywhereIsRepeated() {
    Experiment.named("abort of a job that has made its destination, then again")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUpAndWrite(first(client)))
        .program("driver", MadeDestinationTest::abort)
        .faults(Fault.ALL)
        .recover(MadeDestinationTest::abort)
        .check(
            trial -> {
              collect(trial);
              assertThat(isThere(trial)).isFalse();
            })
        .everyStoppingPoint();
  }

  /** The directory may stay where the record that knows of it was never made. */
  @Test
  @Tag("exploration")
  void aSetUpThatStopsAnywhereLeavesNothingElse() {
    Experiment.named("set-up of a job that makes its destination")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .program("driver", client -> SimulatedJobs.setUp(first(client)))
        .faults(Fault.ALL)
        .recover(MadeDestinationTest::abort)
        .check(MadeDestinationTest::collect)
        .everyStoppingPoint();
  }

  /** Whatever step the other is at, its directory is there, or it makes it again. */
  @Test
  @Tag("exploration")
  void anotherJobIsSetUpMeanwhile() {
    Experiment.named("abort of a job that has made its destination, beside another job")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUpAndWrite(first(client)))
        .program(
            "other",
            client -> {
              Job other = Job.of(new SimulatedJobs(client), new FsPath("out"), "j2");
              setUpAndWrite(other);
              commit(other);
            })
        .program("driver", MadeDestinationTest::abort)
        .check(
            trial -> {
              assertThat(trial.outcome("other").failure()).isNull();
              assertThat(trial.outcome("driver").failure()).isNull();
              assertThat(new JobPoolCheck(trial.cluster()).tree()).containsOnlyKeys("p=1/a");
              collect(trial);
            })
        .everyInsertion();
  }
}
