// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A committed job's {@code _SUCCESS} is a file like any other: its user renames, replaces or
 * deletes it before all is cleaned up after the job. The clean-up, which does not find it at its
 * path, removes no data that are in use or kept.
 */
@Execution(ExecutionMode.CONCURRENT)
class RenamedReportTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
  private static final FsPath REPORT = new FsPath("out/_SUCCESS");
  private static final FsPath KEPT = new FsPath("kept/report");

  private static SimulatedJobs at(SimulatedClient client, long time) throws IOException {
    return new SimulatedJobs(
        client, time, Duration.ZERO, new Retention(Duration.ofMillis(100_000), () -> time));
  }

  private static Job job(SimulatedClient client) throws IOException {
    return Job.of(at(client, SimulatedJobs.WORKING), SimulatedJobs.OUT, "j1");
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = at(client, SimulatedJobs.WORKING);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.namespace().mkdirs(KEPT.parent(), fs.newDirectoryAttributes());
    fs.write(job, SimulatedJobs.attempt(0, 0), "part-0", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  /** What a user does with a report that is there. */
  private interface Use {
    void of(SimulatedJobs fs) throws IOException;
  }

  private static Experiment experiment(String name, Use use) {
    return Experiment.named(name)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(RenamedReportTest::setUp)
        .program(
            "driver",
            client -> {
              var unused = CommitJobStage.run(job(client), REQUEST);
            })
        .program(
            "user",
            client -> {
              SimulatedJobs fs = at(client, SimulatedJobs.WORKING);
              if (fs.namespace().lookup(REPORT).isPresent()) {
                use.of(fs);
              }
            })
        .recover(client -> at(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING))
        .check(RenamedReportTest::check);
  }

  private static void check(Trial trial) throws IOException {
    SimulatedCluster cluster = trial.cluster();
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      at(cluster.client("janitor"), time + 2000).collect(time);
      PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    }
    SimulatedJobs reader = at(cluster.client("reader"), SimulatedJobs.WORKING);
    if (reader.namespace().lookup(KEPT).orElse(null) instanceof Entry.OfFile file) {
      assertThat(reader.objects().read(file.data())).isNotEmpty();
    }
    // What was replaced or deleted can be restored until then, and is then removed.
    at(cluster.client("janitor"), 1_000_000).collect(SimulatedJobs.COLLECTING);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeftButMarks();
  }

  private static void rename(SimulatedJobs fs) throws IOException {
    fs.namespace().rename(REPORT, KEPT, false);
  }

  private static void replace(SimulatedJobs fs) throws IOException {
    fs.create("/kept/other", 50);
    fs.namespace().rename(FsPath.parse("/kept/other"), REPORT, true);
  }

  private static void delete(SimulatedJobs fs) throws IOException {
    assertThat(fs.namespace().delete(REPORT, false)).isTrue();
  }

  @Test
  void aDriverDiesAndTheReportIsRenamed() {
    experiment("a commit before its report is renamed", RenamedReportTest::rename)
        .everyStoppingPoint();
  }

  @Test
  void aDriverDiesAndTheReportIsReplaced() {
    experiment("a commit before its report is replaced", RenamedReportTest::replace)
        .everyStoppingPoint();
  }

  @Test
  void aDriverDiesAndTheReportIsDeleted() {
    experiment("a commit before its report is deleted", RenamedReportTest::delete)
        .everyStoppingPoint();
  }

  @Test
  void theReportIsRenamedDuringTheCommit() {
    experiment("a commit while its report is renamed", RenamedReportTest::rename)
        .everyInsertionThenCrash();
  }

  /**
   * A report that was replaced is among the retained data, which are looked at first: up to the one
   * of their objects that has it.
   */
  @Test
  void howManyDirectoriesThereAreDoesNotMatterWhereItWasReplaced() throws IOException {
    assertThat(readsOfTheEnd(40)).isLessThan(readsOfTheEnd(1) + RetainedData.OBJECTS);
  }

  /** Of the end of a job whose driver died before it cleaned up, and whose report was replaced. */
  private static int readsOfTheEnd(int directories) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    SimulatedJobs user = at(cluster.client("user"), SimulatedJobs.WORKING);
    for (int k = 0; k < directories; k++) {
      user.namespace().mkdirs(KEPT.parent().child("d" + k), user.newDirectoryAttributes());
    }
    SimulatedClient driver = cluster.client("driver");
    FaultPlan dies =
        driver
            .faults()
            .once(
                op -> op.object().contains("//job/") && op.summary().endsWith(" remove"),
                Fault.CRASH_BEFORE);
    assertThat(catchThrowable(() -> CommitJobStage.run(job(driver), REQUEST))).isNotNull();
    assertThat(dies.struck()).hasSize(1);
    replace(user);
    SimulatedClient end = cluster.client("end");
    Job job = job(end);
    int before = end.ops() - end.writes();
    assertThat(SimulatedJobs.endLongAfter(job)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
    return end.ops() - end.writes() - before;
  }
}
