// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What drivers are told of a job that others have brought to its end, when nothing is left of it.
 */
class EndedJobTest {

  private static final CommitJobStage.Request REPORTING =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private Job runJob() throws IOException {
    return runJob(true);
  }

  private Job runJob(boolean success) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "part-0", 100);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/part-0", 100);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    var committed =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, success));
    assertThat(committed.repeated()).isFalse();
    return job;
  }

  /** Has the clean-up after its commit fail. */
  private void leaveItsRecord() {
    FaultPlan unused =
        cluster
            .client("driver")
            .faults()
            .once(
                op -> op.object().equals("out//job/j1") && op.summary().endsWith("remove"),
                Fault.failWith(Kind.PERMISSION_DENIED));
  }

  /** By a driver that may come before the job is set up, and is then told so. */
  private static void commitEarly(SimulatedClient client) throws IOException {
    try {
      var unused = CommitJobStage.run(SimulatedJobs.job(client, "j1"), REPORTING);
    } catch (JobEndedException e) {
      assertThat(e).hasMessageContaining("nothing was made visible by this call");
    }
  }

  @Test
  void anAbortSaysThatItIsCommitted() throws IOException {
    Job unused = runJob();
    assertThat(AbortJobStage.run(SimulatedJobs.job(cluster.client("other"), "j1")))
        .isEqualTo(AbortJobStage.Outcome.COMMITTED);
    assertThat(new JobPoolCheck(cluster).tree())
        .containsOnlyKeys("_SUCCESS", "p=1/part-0", "part-0");
  }

  /** Whoever knows the decision from before finds it forgotten. */
  @Test
  void anAbortByWhoKnowsTheDecisionSaysThatItIsCommitted() throws IOException {
    leaveItsRecord();
    Job job = runJob();
    assertThat(job.fs().transactions().state(job.registration()))
        .contains(Transactions.State.COMMITTED);
    assertThat(AbortJobStage.run(SimulatedJobs.job(cluster.client("other"), "j1")))
        .isEqualTo(AbortJobStage.Outcome.COMMITTED);
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.COMMITTED);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** Whoever may write to the destination may write it. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "{\"committer\": \"radosfs\"}", "{\"committer\": 7}"})
  void aReportThatIsNoneIsNobodys(String content) throws IOException {
    SimulatedMount.of(cluster.client("user")).write("/out/_SUCCESS", content);
    assertThat(AbortJobStage.run(SimulatedJobs.job(cluster.client("other"), "j2")))
        .isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThatThrownBy(
            () -> CommitJobStage.run(SimulatedJobs.job(cluster.client("driver"), "j2"), REPORTING))
        .isInstanceOf(JobEndedException.class);
  }

  @Test
  void anAbortOfOneThatNeverWasSaysSo() throws IOException {
    Job unused = runJob();
    assertThat(AbortJobStage.run(SimulatedJobs.job(cluster.client("other"), "j2")))
        .isEqualTo(AbortJobStage.Outcome.ABORTED);
    assertThat(new JobPoolCheck(cluster).tree())
        .containsOnlyKeys("_SUCCESS", "p=1/part-0", "part-0");
  }

  /** Found by the explorer: an abort that comes while the job is being set up. */
  @Test
  @Tag("exploration")
  void anAbortBesideTheSetUpEndsTheJobOrComesBeforeIt() {
    Experiment experiment =
        Experiment.named("abort beside a set-up")
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> new SimulatedJobs(client).create("/out/old", 120))
            .program("driver", client -> SimulatedJobs.setUp(SimulatedJobs.job(client, "j1")))
            .computation("other", client -> AbortJobStage.run(SimulatedJobs.job(client, "j1")))
            .check(
                trial -> {
                  assertThat(trial.outcome("other").value(AbortJobStage.Outcome.class))
                      .isEqualTo(AbortJobStage.Outcome.ABORTED);
                  PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
                });
    assertThat(experiment.everyInterleaving(20_000).complete()).isTrue();
  }

  /** Found by the explorer: nothing can be written any more when another driver commits it too. */
  @Test
  void aCommitInAFullPoolSaysThatItIsCommitted() throws IOException {
    leaveItsRecord();
    Job unused = runJob();
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey("out//job/j1");
    cluster.setFull(SimulatedJobs.POOL, true);
    JobCommit again =
        CommitJobStage.run(
            SimulatedJobs.job(cluster.client("other"), "j1"),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    assertThat(again.repeated()).isTrue();
  }

  /**
   * Found by the explorer: nothing is left of a job without {@code _SUCCESS}, and a look at what
   * may be fails. Whoever is told that the commit failed would run the job again.
   */
  @Test
  void aCommitThatCannotReadWhatIsLeftSaysThatItDoesNotKnow() throws IOException {
    Job unused = runJob(false);
    SimulatedClient other = cluster.client("other");
    FaultPlan unusedPlan =
        other
            .faults()
            .once(op -> op.object().equals("//ledgers"), Fault.failWith(Kind.PERMISSION_DENIED));
    Job job = SimulatedJobs.job(other, "j1");
    CommitJobStage.Request request =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);
    assertThatThrownBy(() -> CommitJobStage.run(job, request))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("could not be found out");
    assertThatThrownBy(() -> CommitJobStage.run(job, request))
        .isInstanceOf(JobEndedException.class);
  }

  /**
   * Found by the explorer: a second driver is cut off in the middle of its commit, and can look at
   * nothing any more. The first has committed the job.
   */
  @Test
  void aCommitThatIsCutOffAnywhereNeverSaysThatItFailed() throws IOException {
    leaveItsRecord();
    Job unused = runJob();
    for (int answered = 0; ; answered++) {
      SimulatedClient other = cluster.client("other-" + answered);
      int most = answered;
      FaultPlan unusedPlan =
          other.faults().always(op -> op.number() > most, Fault.failWith(Kind.BLOCKLISTED));
      Optional<JobCommit> commit = committedOrUnknown(SimulatedJobs.job(other, "j1"));
      if (commit.isPresent()) {
        assertThat(commit.get().repeated()).isTrue();
        assertThat(answered).as("operations that it takes").isGreaterThan(3);
        return;
      }
    }
  }

  /**
   * Found by the explorer: the first operation of a second driver is refused, and nothing is left
   * of the job, which the first one has committed without {@code _SUCCESS}.
   */
  @ParameterizedTest
  @EnumSource(names = {"NAME_TOO_LONG", "NO_SPACE", "TOO_LARGE"})
  void aCommitThatFailsWhereNothingIsLeftDoesNotSayThatTheJobFailed(Kind error) throws IOException {
    Job unused = runJob(false);
    SimulatedClient other = cluster.client("other");
    FaultPlan unusedPlan = other.faults().atWrite(1, Fault.failWith(error));
    Job job = SimulatedJobs.job(other, "j1");
    CommitJobStage.Request request =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false);
    assertThatThrownBy(() -> CommitJobStage.run(job, request))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("it was aborted, or never set up, or all that it wrote was removed")
        .hasStackTraceContaining("injected [FAIL(" + error + ")]");
  }

  private static Optional<JobCommit> committedOrUnknown(Job job) throws IOException {
    try {
      return Optional.of(CommitJobStage.run(job, REPORTING));
    } catch (OutcomeUnknownException e) {
      return Optional.empty();
    }
  }

  /** Who may write the index may claim any length there; so may a user's file have any. */
  @Test
  void aReportThatClaimsToBeLargerThanAnyIsNotRead() throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    SimulatedJobs.setUp(Job.of(fs, SimulatedJobs.OUT, "another"));
    int most = Integer.MAX_VALUE;
    FsPath path = SimulatedJobs.OUT.child("_SUCCESS");
    FileData data = new FileData(path, Uid.random(), true, most, most, Optional.empty());
    Entry made = new Entry.OfFile(data, 0, fs.newFileAttributes());
    ObjectStore store = cluster.client("vandal").open(SimulatedJobs.POOL, "");
    store.write(
        ObjectNames.index(SimulatedJobs.OUT),
        WriteOp.builder()
            .setOmap(IndexKeys.entry("_SUCCESS"), EntryCodec.encode(path, made))
            .build());
    byte[] uid = data.uid().value().getBytes(StandardCharsets.UTF_8);
    store.write(
        data.stripe(0),
        WriteOp.builder()
            .writeFull(ByteBuffer.wrap(new byte[1]))
            .setXattr(FileData.UID_XATTR, uid)
            .build());
    assertThat(AbortJobStage.run(SimulatedJobs.job(cluster.client("other"), "j1")))
        .isEqualTo(AbortJobStage.Outcome.ABORTED);
  }

  /**
   * Found by the explorer. The end of the job has removed the attempt's files, so that it seems to
   * have written nothing.
   */
  @Test
  void anAttemptWhoseFilesAreGoneIsNotCommitted() throws IOException {
    leaveItsRecord();
    SimulatedJobs fs = new SimulatedJobs(cluster.client("task"));
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "part-0", 100);
    assertThatThrownBy(() -> AbortJobStage.run(SimulatedJobs.job(cluster.client("driver"), "j1")))
        .as("an abort that cannot remove the record")
        .isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("came too late: job j1 on /out is ABORTED");
  }

  /**
   * Found by the explorer. The job was committed by another driver, and its destination removed; a
   * collector that had its line has made a record that says nothing else. So the attempt seems to
   * have written nothing.
   */
  @Test
  void anAttemptOfAJobThatIsOnlyNoticedIsNotCommitted() throws IOException {
    Job job = SimulatedJobs.job(cluster.client("task"), "j1");
    job.record().notice().make(SimulatedJobs.WORKING, () -> true);
    assertThatThrownBy(() -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("there is no job j1 on /out");
  }

  /**
   * Found by the explorer: a driver commits a job that is being set up, and finds no record yet.
   * The job is then committed while a task attempt of it still writes, so that its record stays.
   */
  @Test
  void aCommitThatCameTooEarlyForgetsNoJobWhoseRecordStays() {
    Experiment.named("a commit that comes too early")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .program("early", EndedJobTest::commitEarly)
        .program(
            "driver",
            client -> {
              SimulatedJobs fs = new SimulatedJobs(client);
              Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
              SimulatedJobs.setUp(job);
              fs.open(job, SimulatedJobs.attempt(0, 0), "part-0")
                  .write(new byte[20_000], 0, 20_000);
              var unused = CommitJobStage.run(job, REPORTING);
            })
        .check(
            trial -> {
              assertThat(trial.cluster().objects(SimulatedJobs.POOL, ""))
                  .containsKey("out//job/j1");
              PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
            })
        .everyInsertion();
  }

  /**
   * Found by the explorer: a collector has noticed the registration and made a record that says
   * nothing else, so that the fence finds one without a state; the job is set up just then.
   */
  @Test
  void aFenceThatTheSetUpOvertookIsPutUpAgain() {
    Experiment.named("a commit beside a set-up that a collector has noticed")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(
            client ->
                SimulatedJobs.job(client, "j1")
                    .record()
                    .notice()
                    .make(SimulatedJobs.WORKING, () -> true))
        .program("early", EndedJobTest::commitEarly)
        .program("driver", client -> SimulatedJobs.setUp(SimulatedJobs.job(client, "j1")))
        .check(trial -> assertThat(trial.outcome("early").failure()).isNull())
        .everyInsertion();
  }

  /**
   * Found by the explorer: a collector has noticed a missing record by making one, which recovery
   * has set to the decision. There is nothing to plan then, however often it is tried.
   */
  @Test
  void aCommitOfARecordThatWasMadeAgainEndsAtOnce() throws IOException {
    Job job = SimulatedJobs.job(cluster.client("driver"), "j1");
    SimulatedJobs.setUp(job);
    assertThat(job.record().setDecided(JobState.COMMITTED, SimulatedJobs.WORKING)).isTrue();
    SimulatedClient other = cluster.client("other");
    AtomicInteger operations = new AtomicInteger();
    FaultPlan unused = other.faults().before(op -> operations.set(op.number()));
    JobCommit again = CommitJobStage.run(SimulatedJobs.job(other, "j1"), REPORTING);
    assertThat(again.repeated()).isTrue();
    assertThat(operations).hasValueLessThan(10);
  }
}
