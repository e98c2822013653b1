// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.ManifestException;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.files.ManifestSuccessData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommitJobTest {

  /** Beside three a directory, one for each 512 manifests, and the data of the report. */
  private static final int COMMIT_JOB_MAX = 10;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final SimulatedClient client = cluster.client("driver");
  private SimulatedJobs fs;
  private JobPoolCheck check;
  private Job job;

  @BeforeEach
  void setUpJob() throws Exception {
    fs = new SimulatedJobs(client);
    check = new JobPoolCheck(cluster);
    job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
  }

  private static CommitJobStage.Request append() {
    return new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
  }

  private static CommitJobStage.Request replacing(Overwrite overwrite) {
    return new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true);
  }

  private TaskCommit task(int task, int attempt, String... files) throws Exception {
    TaskAttempt id = SimulatedJobs.attempt(task, attempt);
    for (String file : files) {
      fs.write(job, id, file, 250);
    }
    return CommitTaskStage.run(job, id, 1);
  }

  @Test
  void filesAppearAllAtOnceAndNothingIsLeft() throws Exception {
    TaskCommit first = task(0, 0, "part-0", "p=1/part-0");
    assertThat(first).isEqualTo(new TaskCommit(SimulatedJobs.attempt(0, 0), 2, 500));
    assertThat(task(1, 0, "p=2/q=3/part-1").files()).isEqualTo(1);
    assertThat(check.tree()).isEmpty();
    check.assertNothingUnreachable();
    JobCommit commit = CommitJobStage.run(job, append());
    assertThat(commit.repeated()).isFalse();
    assertThat(check.tree())
        .containsOnlyKeys("_SUCCESS", "part-0", "p=1/part-0", "p=2/q=3/part-1")
        .containsEntry("part-0", 250L);
    check.assertNothingLeft();
  }

  @Test
  void theReportIsWhatHadoopsPrinterReads() throws Exception {
    task(0, 0, "part-0", "p=1/part-0");
    JobCommit commit = CommitJobStage.run(job, append());
    Entry.OfFile file = (Entry.OfFile) fs.namespace().lookup(new FsPath("out/_SUCCESS")).get();
    String text = new String(fs.objects().read(file.data()), StandardCharsets.UTF_8);
    ManifestSuccessData read = ManifestSuccessData.serializer().fromJson(text);
    assertThat(read.validate().getSuccess()).isTrue();
    assertThat(read.getName()).isEqualTo(SuccessReport.NAME);
    assertThat(read.getJobId()).isEqualTo("j1");
    assertThat(read.getFilenames()).containsExactly("/out/part-0", "/out/p=1/part-0");
    assertThat(read.getMetrics()).containsEntry("committer_bytes_committed", 500L);
    assertThat(read.getIOStatistics().counters()).containsEntry("committer_files_committed", 2L);
    assertThat(read.dumpMetrics("", "=", "\n")).contains("committer_tasks_completed=1");
    SuccessReport written = SuccessReport.decode(text.getBytes(StandardCharsets.UTF_8)).get();
    SuccessReport returned = commit.report().get();
    assertThat(returned.filenames()).isEqualTo(written.filenames());
    assertThat(returned.diagnostics()).isEqualTo(written.diagnostics());
    assertThat(returned.metrics().keySet())
        .containsAll(written.metrics().keySet())
        .contains("job_stage_transaction_ms");
  }

  @Test
  void itCanBeRepeatedAfterItIsDone() throws Exception {
    task(0, 0, "part-0");
    var unused = CommitJobStage.run(job, append());
    JobCommit again = CommitJobStage.run(SimulatedJobs.job(cluster.client("b"), "j1"), append());
    assertThat(again.repeated()).isTrue();
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0");
    check.assertNothingLeft();
    assertThatThrownBy(() -> CommitJobStage.run(Job.of(fs, SimulatedJobs.OUT, "no"), append()))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("there is no job no on /out");
  }

  @Test
  void anEmptyJobLeavesAReportUnlessToldNotTo() throws Exception {
    assertThat(task(0, 0).files()).isZero();
    var unused = CommitJobStage.run(job, append());
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS");
    Job second = Job.of(fs, SimulatedJobs.OUT, "j2");
    SimulatedJobs.setUp(second);
    fs.write(second, SimulatedJobs.attempt(0, 0), "empty", 0);
    var none = CommitTaskStage.run(second, SimulatedJobs.attempt(0, 0), 1);
    var done =
        CommitJobStage.run(
            second,
            new CommitJobStage.Request(
                Selection.LAST_OF_EACH_TASK, Overwrite.of(SimulatedJobs.OUT), false));
    assertThat(check.tree()).containsOnlyKeys("empty");
    check.assertNothingLeft();
  }

  @Test
  void ofTwoAttemptsTheOneThatCountsAppears() throws Exception {
    task(0, 0, "part-0", "only-by-0");
    task(0, 1, "part-0");
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.exactly(Set.of(SimulatedJobs.attempt(0, 0))), Overwrite.NOTHING, true));
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0", "only-by-0");
    check.assertNothingLeft();
  }

  @Test
  void withoutATellingTheLastOfEachTaskCounts() throws Exception {
    task(0, 1, "part-0", "by-1");
    task(0, 0, "part-0", "by-0");
    fs.write(job, SimulatedJobs.attempt(0, 2), "part-0", 10);
    var unused = CommitJobStage.run(job, append());
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0", "by-0");
    check.assertNothingLeft();
  }

  @Test
  void aReportedAttemptWithoutManifestFailsTheJob() throws Exception {
    task(0, 0, "part-0");
    CommitJobStage.Request request =
        new CommitJobStage.Request(
            Selection.exactly(Set.of(SimulatedJobs.attempt(0, 0), SimulatedJobs.attempt(1, 0))),
            Overwrite.NOTHING,
            true);
    assertThatThrownBy(() -> CommitJobStage.run(job, request)).hasMessageContaining("m000001/0");
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(check.tree()).isEmpty();
    check.assertNothingLeft();
  }

  @Test
  void aTaskCommitCanBeRepeatedAndAddsNothing() throws Exception {
    TaskCommit commit = task(0, 0, "part-0");
    assertThat(task(0, 0)).isEqualTo(commit);
    assertThatThrownBy(() -> task(0, 0, "part-1")).hasMessageContaining("cannot add");
    assertThat(task(0, 0)).isEqualTo(commit);
  }

  @Test
  void aFileThatWasNotClosedFailsItsTaskAndIsKeptTrackOf() throws Exception {
    StripedOutputStream zombie = fs.open(job, SimulatedJobs.attempt(0, 0), "part-0");
    zombie.write(new byte[20_000], 0, 20_000);
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1))
        .hasMessageContaining("/out/part-0 was never closed");
    task(0, 1, "part-0");
    var unused = CommitJobStage.run(job, append());
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0");
    assertThat(job.record().state()).contains(JobState.COMMITTED);
    zombie.write(new byte[20_000], 0, 20_000);
    check.assertNothingUnreachable();
    assertThatThrownBy(zombie::close)
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("m000000/0")
        .hasMessageContaining("COMMITTED");
    assertThat(CommitJobStage.run(job, append()).repeated()).isTrue();
    check.assertNothingLeft();
  }

  @Test
  void lateAttemptsAreFenced() throws Exception {
    fs.write(job, SimulatedJobs.attempt(0, 0), "part-0", 10);
    StripedOutputStream late = fs.open(job, SimulatedJobs.attempt(1, 0), "part-1");
    late.write(new byte[20_000], 0, 20_000);
    assertThat(job.record().change(JobState.RUNNING, JobState.COMMITTING)).isPresent();
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1))
        .isInstanceOf(JobEndedException.class);
    assertThatThrownBy(late::close).isInstanceOf(JobEndedException.class);
    AbortTaskStage.run(job, SimulatedJobs.attempt(0, 0));
    var unused = CommitJobStage.run(job, append());
    assertThatThrownBy(() -> fs.write(job, SimulatedJobs.attempt(2, 0), "part-2", 1))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("there is no job j1");
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1))
        .isInstanceOf(JobEndedException.class);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS");
    check.assertNothingLeft();
  }

  @Test
  void anAbortedAttemptLeavesNothingAndCannotCommit() throws Exception {
    task(0, 0, "part-0");
    fs.write(job, SimulatedJobs.attempt(0, 1), "part-0", 150);
    AbortTaskStage.run(job, SimulatedJobs.attempt(0, 1));
    AbortTaskStage.run(job, SimulatedJobs.attempt(0, 1));
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 1), 1))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("aborted");
    assertThatThrownBy(() -> fs.write(job, SimulatedJobs.attempt(0, 1), "more", 1))
        .isInstanceOf(JobEndedException.class);
    task(1, 0, "part-1");
    AbortTaskStage.run(job, SimulatedJobs.attempt(1, 0));
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("out/part-1"));
    var unused = CommitJobStage.run(job, append());
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0");
    check.assertNothingLeft();
  }

  @Test
  void tasksThatDisagreeAreFoundBeforeAnythingIsPromoted() throws Exception {
    task(0, 0, "p=1/part-0");
    task(1, 0, "p=1/part-0");
    assertThatThrownBy(() -> CommitJobStage.run(job, append()))
        .hasMessageContaining("m000000/0")
        .hasMessageContaining("m000001/0")
        .hasMessageContaining("/out/p=1/part-0");
    assertThat(check.tree()).isEmpty();
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    check.assertNothingLeft();
  }

  @Test
  void aFileWhereAnotherTaskHasADirectoryIsFound() throws Exception {
    task(0, 0, "x");
    task(1, 0, "x/y/z");
    assertThatThrownBy(() -> CommitJobStage.run(job, append())).hasMessageContaining("/out/x,");
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    check.assertNothingLeft();
  }

  @Test
  void aDamagedManifestFailsTheJobAndIsNamed() throws Exception {
    task(0, 0, "part-0");
    task(1, 0, "part-1");
    client
        .open(SimulatedJobs.POOL, "")
        .write(
            job.record().name(),
            WriteOp.builder()
                .setOmap("m/m000001/0", "garbage".getBytes(StandardCharsets.UTF_8))
                .build());
    assertThatThrownBy(() -> CommitJobStage.run(job, append()))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("m/m000001/0")
        .hasMessageContaining("out//job/j1")
        .hasMessageContaining("run the job again");
    assertThat(check.tree()).isEmpty();
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(check.tree()).isEmpty();
    // What the damaged manifest spoke of cannot be known: the record stays to say so.
    assertThat(job.record().state()).contains(JobState.ABORTED);
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("out/part-0"));
  }

  @Test
  void anExistingFileIsNotReplacedByAppending() throws Exception {
    fs.create("/out/part-0", 5);
    task(0, 0, "part-0", "part-1");
    assertThatThrownBy(() -> CommitJobStage.run(job, append()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(check.tree()).containsOnlyKeys("part-0");
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(check.tree()).containsOnlyKeys("part-0").containsEntry("part-0", 5L);
    check.assertNothingLeft();
  }

  @Test
  void failModeWantsAnEmptyDestination() throws Exception {
    fs.create("/out/old", 5);
    assertThatThrownBy(
            () ->
                SetupJobStage.run(
                    job,
                    SimulatedJobs.info("j1"),
                    RequireEmpty.DESTINATION,
                    OverwriteConflict.WAIT,
                    JobLease.NONE))
        .isInstanceOf(PathExistsException.class)
        .hasMessageContaining("/out");
    task(0, 0, "part-0");
    CommitJobStage.Request request = append().requiring(RequireEmpty.DESTINATION);
    assertThatThrownBy(() -> CommitJobStage.run(job, request))
        .isInstanceOf(PathExistsException.class);
    assertThat(check.tree()).containsOnlyKeys("old");
  }

  @Test
  void failModeByPartitionLooksAtTheWrittenOnesAlone() throws Exception {
    fs.create("/out/p=1/old", 5);
    task(0, 0, "p=2/part-0");
    var unused = CommitJobStage.run(job, append().requiring(RequireEmpty.WRITTEN_PARTITIONS));
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "p=1/old", "p=2/part-0");
    Job second = SimulatedJobs.job(client, "j2");
    SetupJobStage.run(
        second,
        SimulatedJobs.info("j2"),
        RequireEmpty.WRITTEN_PARTITIONS,
        OverwriteConflict.WAIT,
        JobLease.NONE);
    fs.write(second, SimulatedJobs.attempt(0, 0), "p=1/part-0", 10);
    var task = CommitTaskStage.run(second, SimulatedJobs.attempt(0, 0), 1);
    assertThatThrownBy(
            () -> CommitJobStage.run(second, append().requiring(RequireEmpty.WRITTEN_PARTITIONS)))
        .isInstanceOf(PathExistsException.class)
        .hasMessageContaining("/out/p=1")
        .hasMessageContaining("j2");
    assertThat(AbortJobStage.run(second)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    check.assertNothingLeft();
  }

  @Test
  void theLaterOfTwoOverwritingJobsFailsIfToldTo() throws Exception {
    Job first = SimulatedJobs.job(client, "first");
    SetupJobStage.run(
        first,
        replaces("first", "/out/p=1"),
        RequireEmpty.NOTHING,
        OverwriteConflict.FAIL,
        JobLease.NONE);
    Job second = SimulatedJobs.job(cluster.client("b"), "second");
    for (String same : new String[] {"/out", "/out/p=1", "/out/p=1/q=1"}) {
      assertThatThrownBy(
              () ->
                  SetupJobStage.run(
                      second,
                      replaces("second", same),
                      RequireEmpty.NOTHING,
                      OverwriteConflict.FAIL,
                      JobLease.NONE))
          .hasMessageContaining("job second on /out replaces what job first")
          .hasMessageContaining("me@here");
      assertThat(second.record().state()).isEmpty();
    }
    for (String other : new String[] {"/out/p=10", "/out/p=2"}) {
      SetupJobStage.run(
          second,
          replaces("second", other),
          RequireEmpty.NOTHING,
          OverwriteConflict.FAIL,
          JobLease.NONE);
      assertThat(AbortJobStage.run(second)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    }
    SetupJobStage.run(
        second,
        replaces("second", "/out"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.NONE);
    assertThat(AbortJobStage.run(second)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(AbortJobStage.run(first)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    check.assertNothingLeft();
  }

  private static JobInfo replaces(String id, String path) {
    return SimulatedJobs.info(id).replacing(Set.of(path));
  }

  @Test
  void validationFindsWhatIsNotAsItsTaskWroteIt() throws Exception {
    task(0, 0, "p=1/part-0");
    task(1, 0, "part-1");
    for (Validation how : Validation.values()) {
      Job good = SimulatedJobs.job(client, "good-" + how);
      SimulatedJobs.setUp(good);
      fs.write(good, SimulatedJobs.attempt(0, 0), "none-" + how, 0);
      fs.write(good, SimulatedJobs.attempt(0, 0), "some-" + how, 750);
      var committed = CommitTaskStage.run(good, SimulatedJobs.attempt(0, 0), 1);
      var unused = CommitJobStage.run(good, append().validating(how));
    }
    String stripe = stripe("out/part-1", 2);
    write(stripe, new byte[49]);
    assertInvalid(Validation.METADATA, stripe, "holds 49 bytes, not 50");
    byte[] changed = new byte[50];
    changed[3] = 1;
    write(stripe, changed);
    int before = cluster.log().size();
    assertInvalid(Validation.CONTENT, stripe, "holds other data than was written, in bytes");
    assertThat(cluster.log().entries().subList(before, cluster.log().size()))
        .extracting(entry -> entry.op().summary())
        .anyMatch(summary -> summary.contains("crc32c"))
        .noneMatch(summary -> summary.contains(" data("));
    client.open(SimulatedJobs.POOL, "").write(stripe, WriteOp.builder().remove().build());
    assertInvalid(Validation.METADATA, stripe, "is not there");
    write(stripe, new byte[50]);
    client
        .open(SimulatedJobs.POOL, "")
        .write(
            "out/part-1",
            WriteOp.builder()
                .setXattr(FileData.UID_XATTR, "other".getBytes(StandardCharsets.UTF_8))
                .build());
    assertInvalid(Validation.METADATA, "out/part-1", "is of another file");
    assertThat(check.tree()).doesNotContainKey("part-1");
  }

  private void assertInvalid(Validation how, String object, String what) {
    assertThatThrownBy(() -> CommitJobStage.run(job, append().validating(how)))
        .hasMessageContaining("'" + object + "'")
        .hasMessageContaining(what);
  }

  private String stripe(String path, int k) {
    return cluster.objects(SimulatedJobs.POOL, "").keySet().stream()
        .filter(name -> name.startsWith(path + "//") && name.endsWith("/0000000" + k))
        .findFirst()
        .orElseThrow();
  }

  private void write(String object, byte[] content) throws Exception {
    client
        .open(SimulatedJobs.POOL, "")
        .write(object, WriteOp.builder().writeFull(ByteBuffer.wrap(content)).build());
  }

  @Test
  void staticOverwriteReplacesTheTreeAtTheCommit() throws Exception {
    for (String old :
        new String[] {"_SUCCESS", "part-0", "p=1/a", "p=1/q=1/b", "p=2/c", "p=2/q=2/d"}) {
      fs.create("/out/" + old, 120);
    }
    task(0, 0, "part-0", "p=1/a", "p=3/e");
    assertThat(check.tree()).hasSize(6);
    var unused = CommitJobStage.run(job, replacing(Overwrite.of(SimulatedJobs.OUT)));
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "part-0", "p=1/a", "p=3/e");
    assertThat(check.tree()).containsEntry("p=1/a", 250L);
    check.assertNothingLeft();
    assertThat(fs.namespace().lookup(new FsPath("out/p=2"))).isEmpty();
    assertThat(fs.namespace().lookup(new FsPath("out/p=1/q=1"))).isEmpty();
  }

  @Test
  void overwritingAPartitionLeavesTheOthers() throws Exception {
    for (String old : new String[] {"p=1/a", "p=2/b", "p=3/c"}) {
      fs.create("/out/" + old, 120);
    }
    task(0, 0, "p=1/new");
    Overwrite overwrite =
        new Overwrite(
            Set.of(new FsPath("out/p=1"), new FsPath("out/p=3"), new FsPath("out/p=9")), false);
    var unused = CommitJobStage.run(job, replacing(overwrite));
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "p=1/new", "p=2/b");
    check.assertNothingLeft();
  }

  @Test
  void dynamicOverwriteReplacesExactlyTheWrittenPartitions() throws Exception {
    for (String old : new String[] {"top", "p=1/q=1/a", "p=1/q=2/b", "p=2/q=1/c"}) {
      fs.create("/out/" + old, 120);
    }
    task(0, 0, "p=1/q=1/new", "p=4/q=1/new");
    var unused = CommitJobStage.run(job, replacing(new Overwrite(Set.of(), true)));
    assertThat(check.tree())
        .containsOnlyKeys(
            "_SUCCESS", "top", "p=1/q=1/new", "p=1/q=2/b", "p=2/q=1/c", "p=4/q=1/new");
    check.assertNothingLeft();
  }

  @Test
  void anAbortedOverwriteLeavesTheOldData() throws Exception {
    fs.create("/out/p=1/a", 120);
    task(0, 0, "p=1/a");
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(check.tree()).containsOnlyKeys("p=1/a").containsEntry("p=1/a", 120L);
    check.assertNothingLeft();
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThatThrownBy(() -> CommitJobStage.run(job, append()))
        .isInstanceOf(JobEndedException.class);
  }

  @Test
  void twoJobsOnOneDestinationDoNotDisturbEachOther() throws Exception {
    Job other = SimulatedJobs.job(cluster.client("b"), "j2");
    SimulatedJobs.setUp(other);
    SimulatedJobs otherFs = (SimulatedJobs) other.fs();
    task(0, 0, "p=1/j1");
    otherFs.write(other, SimulatedJobs.attempt(0, 0), "p=1/j2", 10);
    var committed = CommitTaskStage.run(other, SimulatedJobs.attempt(0, 0), 1);
    var unused = CommitJobStage.run(job, append());
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
    var second = CommitJobStage.run(other, append());
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", "p=1/j1", "p=1/j2");
    check.assertNothingLeft();
  }

  /** The whole job, with all that its tasks do beside the data. */
  @ParameterizedTest
  @CsvSource({"10, 14, 1", "10, 14, 7", "100, 40, 1", "100, 40, 40", "4, 1500, 3"})
  void operationsStayWithinTheBounds(int tasks, int filesOfTask, int directories) throws Exception {
    Job many = Job.of(fs, new FsPath("many"), "all");
    int start = client.ops();
    long data = dataOps();
    SimulatedJobs.setUp(many);
    for (int t = 0; t < tasks; t++) {
      for (int f = 0; f < filesOfTask; f++) {
        String directory = directories == 1 ? "" : "d=" + f % directories + "/";
        fs.write(many, SimulatedJobs.attempt(t, 0), directory + t + "-" + f, 50);
      }
      var committed = CommitTaskStage.run(many, SimulatedJobs.attempt(t, 0), 1);
    }
    int commit = opsOfCommit(client, many);
    int all = client.ops() - start - (int) (dataOps() - data);
    int files = tasks * filesOfTask;
    System.out.printf(
        "job of %d files in %d directories by %d tasks: %d operations, commitJob %d of them%n",
        files, directories, tasks, all, commit);
    assertThat(commit)
        .isLessThanOrEqualTo(3 * directories + files / 1000 + tasks / 500 + COMMIT_JOB_MAX);
    assertThat(all)
        .isLessThanOrEqualTo(3 * files + 2 * tasks + 3 * directories + files / 1000 + 20);
  }

  /** Jobs of many files, whose manifests are made up. */
  @Test
  @Tag("slow")
  void theCommitOfManyFilesStaysWithinTheBounds() throws Exception {
    int[][] sizes = {
      {17, 1, 17},
      {499, 1, 499},
      {1_000, 1, 1_000},
      {10_000, 1, 100},
      {10_000, 1_000, 1_000},
      {40_000, 1, 40},
      {100_000, 5, 100},
    };
    for (int[] size : sizes) {
      SimulatedCluster own = SimulatedCluster.withPools(SimulatedJobs.POOL);
      Job many = SimulatedJobs.job(own.client("driver"), "many");
      SimulatedJobs.setUp(many);
      int files = size[0];
      int directories = size[1];
      int tasks = size[2];
      for (int task = 0; task < tasks; task++) {
        MadeUpTasks.commit(many, task, tasks, files, directories);
      }
      int commit = opsOfCommit(own.client("driver"), many);
      System.out.printf(
          "commitJob of %d files in %d directories by %d tasks: %d operations%n",
          files, directories, tasks, commit);
      assertThat(commit)
          .isLessThanOrEqualTo(3 * directories + files / 1_000 + tasks / 500 + COMMIT_JOB_MAX);
    }
  }

  /** Commits a job; answers the operations of that but one, which writes the data of the report. */
  private static int opsOfCommit(SimulatedClient client, Job job) throws IOException {
    int before = client.ops();
    var unused = CommitJobStage.run(job, append());
    return client.ops() - before - 1;
  }

  private long dataOps() {
    return cluster.log().entries().stream()
        .filter(entry -> entry.op().write() && entry.op().summary().contains("writeFull"))
        .count();
  }
}
