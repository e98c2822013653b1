// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.job.AttemptContents;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Provokes the messages of jobs and of their tasks that the page on troubleshooting has. */
class JobMessagesTest {

  private static final String PAGE = "committer/docs/troubleshooting.md";
  private static final TaskAttempt ONE = SimulatedJobs.attempt(0, 0);
  private static final TaskAttempt OTHER = SimulatedJobs.attempt(1, 0);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final SimulatedClient client = cluster.client("driver");
  private final List<String> told = new ArrayList<>();
  private SimulatedJobs fs;

  @BeforeEach
  void connect() throws IOException {
    fs = new SimulatedJobs(client);
  }

  private void tell(ThrowingCallable call) {
    told.add(ToldMessages.thrownBy(call));
  }

  private Job started(String id) throws IOException {
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    SimulatedJobs.setUp(job);
    return job;
  }

  private void commitTask(Job job, TaskAttempt attempt, String... files) throws IOException {
    for (String file : files) {
      fs.write(job, attempt, file, 10);
    }
    var unused = CommitTaskStage.run(job, attempt, 1);
  }

  private static void commit(Job job) throws IOException {
    commit(job, Selection.LAST_OF_EACH_TASK);
  }

  private static void commit(Job job, Selection selection) throws IOException {
    var unused =
        CommitJobStage.run(job, new CommitJobStage.Request(selection, Overwrite.NOTHING, true));
  }

  private static void setUp(Job job, JobInfo info, RequireEmpty empty) throws IOException {
    SetupJobStage.run(job, info, empty, OverwriteConflict.FAIL, JobLease.NONE);
  }

  @Test
  void beginningAJob() throws IOException {
    fs.create("/out/old", 5);
    Job job = Job.of(fs, SimulatedJobs.OUT, "first");
    tell(() -> setUp(job, SimulatedJobs.info("first"), RequireEmpty.DESTINATION));
    setUp(job, replacing("first"), RequireEmpty.NOTHING);
    Job second = Job.of(fs, SimulatedJobs.OUT, "second");
    tell(() -> setUp(second, replacing("second"), RequireEmpty.NOTHING));
    assertThat(told.get(1))
        .endsWith("If no process of it is left, end it at once: " + recovering("first"));
    ToldMessages.of(PAGE, "A job that does not begin").assertAre(told);
  }

  private static JobInfo replacing(String id) {
    return SimulatedJobs.info(id).replacing(Set.of("/out"));
  }

  @Test
  void committingATask() throws IOException {
    Job job = started("j");
    var open = fs.open(job, OTHER, "part-1");
    open.write(new byte[20_000], 0, 20_000);
    tell(() -> commitTask(job, OTHER));
    commitTask(job, ONE, "part-0");
    tell(() -> commitTask(job, ONE, "more"));
    TaskAttempt aborted = SimulatedJobs.attempt(2, 0);
    AbortTaskStage.run(job, aborted);
    tell(() -> commitTask(job, aborted));
    TaskAttempt late = SimulatedJobs.attempt(3, 0);
    fs.write(job, late, "part-3", 10);
    var changed = job.record().change(JobState.RUNNING, JobState.COMMITTING);
    tell(() -> commitTask(job, late));
    Job many = started("many");
    byte[] tooLarge = new byte[(64 << 20) + 1];
    tell(() -> many.record().of(ONE).commit(tooLarge, AttemptContents.of(List.of())));
    String elsewhere = JobPaths.ELSEWHERE + "/out/part-1"; // as of a partition's location
    tell(() -> commitTask(many, OTHER, "part-1", elsewhere));
    ToldMessages.of(PAGE, "A task that cannot commit").assertAre(told);
  }

  @Test
  void committingAJob() throws IOException {
    Job same = started("same");
    commitTask(same, ONE, "part-0");
    commitTask(same, OTHER, "part-0");
    tell(() -> commit(same));
    Job below = started("below");
    commitTask(below, ONE, "x");
    commitTask(below, OTHER, "x/y");
    tell(() -> commit(below));
    Job missing = started("missing");
    commitTask(missing, ONE, "part-0");
    tell(() -> commit(missing, Selection.exactly(Set.of(ONE, OTHER))));
    Job damaged = started("damaged");
    commitTask(damaged, ONE, "part-0");
    byte[] garbage = "garbage".getBytes(StandardCharsets.UTF_8);
    client
        .open(SimulatedJobs.POOL, "")
        .write(damaged.record().name(), WriteOp.builder().setOmap("m/" + ONE, garbage).build());
    tell(() -> commit(damaged));
    fs.create("/out/there", 5);
    Job there = started("there");
    commitTask(there, ONE, "there");
    tell(() -> commit(there));
    Job inTheWay = started("in-the-way");
    commitTask(inTheWay, ONE, "there/part-0");
    tell(() -> commit(inTheWay));
    Job aborted = started("aborted");
    var unused = AbortJobStage.run(aborted);
    tell(() -> commit(aborted));
    Job success = started("success");
    commitTask(success, ONE, "_SUCCESS");
    tell(() -> commit(success));
    Job damagedFile = started("damaged-file");
    commitTask(damagedFile, ONE, "part-2");
    client.open(SimulatedJobs.POOL, "").write("out/part-2", WriteOp.builder().remove().build());
    CommitJobStage.Request looked =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true)
            .validating(Validation.METADATA);
    tell(() -> CommitJobStage.run(damagedFile, looked));
    fs.namespace().mkdirs(SimulatedJobs.OUT.child("_SUCCESS"), fs.newDirectoryAttributes());
    Job directory = started("directory");
    tell(() -> commit(directory));
    Job removed = started("removed");
    commitTask(removed, ONE, "part-3");
    fs.namespace().delete(SimulatedJobs.OUT, true);
    assertThatThrownBy(() -> commit(removed)).hasMessageStartingWith("there is no job removed on");
    ToldMessages.of(PAGE, "A job that cannot commit").assertAre(told);
  }

  @Test
  void meetingAnotherJob() throws IOException {
    fs.create("/out/p=1/old", 5);
    fs.create("/out/p=2/old", 5);
    SimulatedClient dead = cluster.client("dead");
    dead.faults().once(JobOps.decides("held"), Fault.CRASH_BEFORE);
    SimulatedJobs theirs = new SimulatedJobs(dead);
    Job held = Job.of(theirs, SimulatedJobs.OUT, "held");
    SimulatedJobs.setUp(held);
    theirs.write(held, ONE, "p=1/new", 10);
    theirs.write(held, ONE, "p=2/new", 10);
    var committed = CommitTaskStage.run(held, ONE, 1);
    assertThatThrownBy(() -> overwrite(held)).isInstanceOf(ClientCrashed.class);
    SimulatedJobs impatient =
        new SimulatedJobs(client, SimulatedJobs.WORKING, Duration.ZERO, DirectoryLoop.sequential());
    Job other = Job.of(impatient, SimulatedJobs.OUT, "other");
    impatient.setUpWithFile(other, "part-1");
    tell(() -> overwrite(other));
    tell(() -> impatient.create("/out/p=1/old", 5));
    tell(() -> rename(impatient, SimulatedJobs.OUT));
    assertThat(told.subList(0, 2))
        .allSatisfy(
            message ->
                assertThat(message)
                    .contains("`radosfs jobs list <URI>` shows this job and no process of it is")
                    .contains(recovering("held"))
                    .endsWith("try again, or set a longer fs.rados.transaction.wait"));
    assertThat(told.get(2))
        .endsWith(
            "no process of it is left, radosfs jobs recover --force with its id ends it at once");

    fs.create("/day/old", 5);
    FsPath day = new FsPath("day");
    Job ended = Job.of(impatient, day, "ended");
    SimulatedJobs.setUp(ended);
    impatient.open(ended, ONE, "open").write(new byte[30_000], 0, 30_000);
    assertThat(AbortJobStage.run(ended)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    tell(() -> rename(impatient, day));
    ToldMessages.of(PAGE, "A directory that another job holds").assertAre(told);
  }

  private static String recovering(String id) {
    return "`radosfs jobs recover --force <URI> " + id + "`";
  }

  private static void overwrite(Job job) throws IOException {
    Overwrite whole = Overwrite.of(job.destination());
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, whole, false));
  }

  private static void rename(SimulatedJobs fs, FsPath directory) throws IOException {
    fs.namespace().rename(directory, new FsPath("elsewhere"), false);
  }

  @Test
  void notKnowingOfACommit() throws IOException {
    Fault cutOff = Fault.failWith(Kind.BLOCKLISTED);
    Job fenced = started("fenced");
    FaultPlan reads = client.faults().always(op -> !op.write(), cutOff);
    tell(() -> commit(fenced));
    FaultPlan none = reads.clear();
    Job fencing = started("fencing");
    FaultPlan all = none.always(op -> true, cutOff);
    tell(() -> commit(fencing));
    assertThat(all.struck()).isNotEmpty();
    ToldMessages.of(PAGE, "A commit whose outcome is open").assertAre(told);
  }
}
