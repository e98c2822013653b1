// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.job.WorkPath;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A task deletes files that it has closed, as writers do with what they made in vain. The deletion
 * fails, or its answer is lost, or an operation of it arrives late, and the writer goes on, as
 * those that tidy up do. What is committed then is whole.
 */
class DeletedWorkFilesTest {

  private static final WorkPath WORK =
      WorkPath.of(SimulatedJobs.OUT, "j1", SimulatedJobs.attempt(0, 0));

  private static final List<Fault> FAULTS =
      Stream.concat(
              Fault.ALL.stream(),
              Stream.of(Kind.OTHER, Kind.PERMISSION_DENIED, Kind.TIMED_OUT)
                  .flatMap(kind -> Stream.of(Fault.failWith(kind), Fault.failAfter(kind))))
          .toList();

  private static void task(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    WorkFiles files = fs.workFiles();
    try {
      boolean unused = files.delete(WORK.resolve("p=1"), true);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      assertThat(e.getMessage()).isNotEmpty(); // and the writer goes on
    }
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    commitJob(job);
  }

  private static void commitJob(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false));
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    for (String file : new String[] {"p=1/a", "p=1/b", "kept"}) {
      fs.write(job, SimulatedJobs.attempt(0, 0), file, SimulatedJobs.STRIPE + 50);
    }
  }

  private static void whole(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    if (trial.outcome("task").succeeded()) {
      JobPoolCheck check = new JobPoolCheck(trial.cluster());
      assertThat(check.tree()).containsKey("kept");
      check.assertNothingLeft();
    }
  }

  private static Experiment experiment(String name) {
    return Experiment.named(name)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(DeletedWorkFilesTest::setUp);
  }

  @Test
  void whatIsCommittedIsWhole() {
    experiment("a task deletes files, and commits")
        .program("task", DeletedWorkFilesTest::task)
        .faults(FAULTS)
        .recover(
            client -> {
              var unused = SimulatedJobs.endLongAfter(SimulatedJobs.job(client, "j1"));
            })
        .check(DeletedWorkFilesTest::whole)
        .everyStoppingPoint();
  }

  /** As by a writer that closes its files in a thread of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"p=1", "p=1/a", ""})
  void whatAnotherThreadDeletesMeanwhileIsNotCommitted(String deleted) {
    experiment("another thread of a task deletes '" + deleted + "' while it is committed")
        .program("task", DeletedWorkFilesTest::commitTask)
        .program(
            "another thread",
            client -> delete(client, deleted.isEmpty() ? WORK : WORK.resolve(deleted)))
        .check(DeletedWorkFilesTest::committedWhole)
        .everyInsertion();
  }

  /** The file of one deletion is among those of the other, which read them before. */
  @Test
  void whatTwoThreadsDeleteMeanwhileIsNotCommitted() {
    experiment("two threads of a task delete files while it is committed")
        .program("task", DeletedWorkFilesTest::commitTask)
        .program("one", client -> delete(client, WORK.resolve("p=1/a")))
        .program("other", client -> delete(client, WORK.resolve("p=1")))
        .check(DeletedWorkFilesTest::committedWhole)
        .randomInterleavings(20_261_127, 400);
  }

  /** Writes a file of the attempt that {@link #commitTask} commits. */
  private static void writeLate(SimulatedClient client, int bytes) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.write(Job.of(fs, SimulatedJobs.OUT, "j1"), SimulatedJobs.attempt(0, 0), "late", bytes);
  }

  /** Each has read what was there; neither may take from the other's manifest. */
  @Test
  void whatTwoThreadsCommitIsNotLost() {
    experiment("another thread of a task writes a file and commits, too")
        .program("task", DeletedWorkFilesTest::commitTask)
        .program(
            "another thread",
            client -> {
              writeLate(client, SimulatedJobs.STRIPE);
              commitTask(client);
            })
        .check(
            trial -> {
              commitJob(SimulatedJobs.job(trial.observer(), "j1"));
              JobPoolCheck check = new JobPoolCheck(trial.cluster());
              assertThat(check.tree().containsKey("late"))
                  .isEqualTo(trial.outcome("another thread").succeeded());
              check.assertNothingLeft();
            })
        .everyInsertion();
  }

  /**
   * The answer to its close is lost, and the repetition is refused, as the file is committed. A
   * closer that took that for the end of its job would remove what is committed.
   */
  @ParameterizedTest
  @MethodSource("lostAnswers")
  void whatIsCommittedBeforeItsCloseIsAnsweredIsNotRemoved(Fault lost) {
    experiment("a task is committed while the answer to a close of its is lost by " + lost)
        .program(
            "closer",
            client -> {
              int[] notes = {0};
              FaultPlan unused = client.faults().once(op -> notesLate(op) && ++notes[0] == 2, lost);
              writeLate(client, SimulatedJobs.STRIPE + 50);
            })
        .program("task", DeletedWorkFilesTest::commitTask)
        .check(
            trial -> {
              commitJob(SimulatedJobs.job(trial.observer(), "j1"));
              PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
              new JobPoolCheck(trial.cluster()).assertNothingLeft();
            })
        .everyInsertion();
  }

  /** Whoever closes it is told that it is there: it is, or whoever closes it is told otherwise. */
  @Test
  void whatAnotherThreadClosesMeanwhileIsCommitted() {
    experiment("another thread of a task writes a file while it is committed")
        .program("task", DeletedWorkFilesTest::commitTask)
        .program("another thread", client -> writeLate(client, SimulatedJobs.STRIPE))
        .check(
            trial -> {
              committedWhole(trial);
              assertThat(new JobPoolCheck(trial.cluster()).tree().containsKey("late"))
                  .isEqualTo(trial.outcome("another thread").succeeded());
            })
        .everyInsertion();
  }

  private static Stream<Fault> lostAnswers() {
    return Stream.of(Fault.LOSE_ANSWER, Fault.failAfter(Kind.OTHER), Fault.BLOCKLIST_AFTER);
  }

  /** First that it is open, then that it is closed. */
  private static boolean notesLate(OpInfo op) {
    return op.write() && op.object().contains("//job/") && op.summary().contains("late");
  }

  private static void commitTask(SimulatedClient client) throws IOException {
    var unused =
        CommitTaskStage.run(SimulatedJobs.job(client, "j1"), SimulatedJobs.attempt(0, 0), 1);
  }

  private static void delete(SimulatedClient client, WorkPath path) throws IOException {
    boolean unused = new SimulatedJobs(client).workFiles().delete(path, true);
  }

  private static void committedWhole(Trial trial) throws IOException {
    assertThat(trial.outcome("task").succeeded()).isTrue();
    commitJob(SimulatedJobs.job(trial.observer(), "j1"));
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    check.assertNothingLeft();
  }

  /** Its deletion is stopped when it is noted, and before its objects are removed. */
  @Test
  void aDeletedFileIsNotCountedNorItsBytes() throws IOException {
    SimulatedClient client = SimulatedCluster.withPools(SimulatedJobs.POOL).client("task");
    setUp(client);
    SimulatedJobs fs = new SimulatedJobs(client);
    int[] writes = {0};
    FaultPlan noted =
        client
            .faults()
            .always(op -> op.write() && writes[0]++ > 0, Fault.failWith(Kind.PERMISSION_DENIED));
    assertThatThrownBy(() -> fs.workFiles().delete(WORK.resolve("p=1"), true))
        .isInstanceOf(IOException.class);
    assertThat(noted.struck()).isNotEmpty();
    RegisteredJob registered = fs.registry().below(FsPath.ROOT, Failures.END).get(0);
    assertThat(new StagedJobUpkeep().describe(fs, registered).attempts())
        .containsExactly(
            new JobDescription.Attempt(
                "m000000",
                "0",
                JobDescription.Status.WRITING,
                /* files= */ 1,
                SimulatedJobs.STRIPE + 50,
                /* open= */ 0));
  }
}
