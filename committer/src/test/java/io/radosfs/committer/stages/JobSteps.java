// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.explorer.Session;
import io.radosfs.connector.explorer.Step;
import io.radosfs.connector.explorer.TreeBehaviours;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** What drivers of jobs, their tasks, and those that look after jobs, do. */
sealed interface JobSteps extends Step {

  /** About how many writes a driver does for a job of few files. */
  int LONG = 16;

  private static SimulatedJobs jobs(Session session) throws IOException {
    return session.attachment(
        SimulatedJobs.class, () -> session.mounting(JobMounts.class).jobs(session.client()));
  }

  private static Job at(Session session, JobSpec job) throws IOException {
    return Job.of(jobs(session), job.destination(), job.id());
  }

  /** How a driver ends its job, if all goes well so far. */
  enum End {
    COMMIT,
    ABORT,
    /** It is gone, or another does it. */
    NONE
  }

  /**
   * How a job is set up.
   *
   * @param age of the last sign of it that others see, in milliseconds
   * @param lease of other jobs there, likewise; 0 for none
   */
  record Begin(JobSpec job, long age, long lease, OverwriteConflict conflict) implements JobSteps {

    @Override
    public void run(Session session) throws IOException {
      boolean unused = begin(session);
    }

    boolean begin(Session session) throws IOException {
      session.mayHappen("take back what " + job.id() + " has made", JobBehaviours.takeBack(job));
      return session
          .call(
              "set up " + job,
              JobBehaviours.setUp(job).failing(JobFailures.OF_SETUP),
              () -> {
                SetupJobStage.run(
                    at(session, job),
                    info(session, job, age),
                    RequireEmpty.NOTHING,
                    conflict,
                    SimulatedJobs.lease(lease));
                return true;
              })
          .isPresent();
    }

    private static JobInfo info(Session session, JobSpec job, long age) throws IOException {
      JobInfo info =
          new JobInfo(
                  job.id(),
                  job.id(),
                  "test",
                  "test",
                  "me@here",
                  jobs(session).now() - JobMounts.ENDING + SimulatedJobs.WORKING - age)
              .ofProcess(1)
              .replacing(job.overwrite().paths());
      return job.isRestartable() ? info.asRestartable() : info;
    }
  }

  /** A whole job by its driver. */
  record Run(Begin begin, Drive drive) implements JobSteps {

    @Override
    public void run(Session session) throws IOException {
      if (begin.begin(session)) {
        drive.of(begin.job(), session);
      } else {
        Abort.abort(session, begin.job());
      }
    }

    @Override
    public int writes() {
      return LONG;
    }
  }

  /**
   * The job is set up again by the application master that starts next, as MapReduce does it: it
   * goes on with the job of an earlier one, or has one of its own, with all tasks again. Nobody
   * sets up an id twice that others may have ended: nothing tells the second job from the first.
   *
   * @param master which one it is; from 2, and the only one of this number
   * @param works whether it runs the tasks of an earlier one's job again
   */
  record Restart(JobSpec job, int master, boolean works, Drive drive) implements JobSteps {

    @Override
    public void run(Session session) throws IOException {
      JobSpec own = job.of(master);
      List<JobSpec> earlier = new ArrayList<>();
      for (int before = master - 1; before > 0; before--) {
        earlier.add(job.of(before));
      }
      session.mayHappen("take back what " + own.id() + " has made", JobBehaviours.takeBack(own));
      Optional<String> found =
          session.call(
              "set up again " + own,
              JobBehaviours.resume(own, earlier).failing(JobFailures.OF_SETUP),
              () -> {
                List<Job> jobs = new ArrayList<>();
                for (JobSpec one : earlier) {
                  jobs.add(at(session, one));
                }
                return SetupJobStage.resume(
                        at(session, own),
                        jobs,
                        Begin.info(session, own, /* age= */ 0),
                        OverwriteConflict.WAIT,
                        JobLease.NONE)
                    .id();
              });
      if (found.isEmpty()) {
        Abort.abort(session, own);
      } else if (found.get().equals(own.id())) {
        drive.of(own, session);
      } else {
        JobSpec before =
            earlier.stream().filter(one -> one.id().equals(found.get())).findAny().orElseThrow();
        drive.resumed(before, works, session);
      }
    }

    @Override
    public int writes() {
      return LONG;
    }
  }

  /**
   * What a driver does with its job once that is set up; where the commit fails it is aborted, as
   * an engine does.
   *
   * @param attempt the number of the first attempt of each task; the next but one is the second
   * @param retries whether a commit that failed is tried once more
   * @param trouble what happens in its commit: it dies, its thread is interrupted, or RADOS fails
   * @param troubled the operation of its commit at which that happens; 0 for none
   * @param deciding whether those from its decision on alone are counted: what then goes wrong, a
   *     driver that lives is not told
   */
  record Drive(
      int attempt,
      Validation validation,
      boolean retries,
      End end,
      Fault trouble,
      int troubled,
      boolean deciding) {

    private void of(JobSpec job, Session session) throws IOException {
      Optional<Set<TaskAttempt>> committed = tasks(job, session);
      if (committed.isPresent()) {
        end(job, job.selection(committed.get()), session);
      } else {
        Abort.abort(session, job);
      }
    }

    /** The job of an earlier driver, of whose tasks this one knows what the record says. */
    private void resumed(JobSpec job, boolean works, Session session) throws IOException {
      if (works && tasks(job, session).isEmpty()) {
        Abort.abort(session, job);
      } else {
        end(job, Selection.LAST_OF_EACH_TASK, session);
      }
    }

    /** The attempts that are committed, one of each task; empty if a task failed twice. */
    private Optional<Set<TaskAttempt>> tasks(JobSpec job, Session session) throws IOException {
      Set<TaskAttempt> committed = new TreeSet<>();
      for (int task = 0; task < job.tasks().size(); task++) {
        Attempt first = new Attempt(job, task, attempt, End.COMMIT);
        if (!first.complete(session)) {
          Attempt again = new Attempt(job, task, attempt + 2, End.COMMIT);
          first.abort(session);
          if (!again.complete(session)) {
            return Optional.empty();
          }
          first = again;
        }
        committed.add(first.id());
      }
      return Optional.of(committed);
    }

    private void end(JobSpec job, Selection selection, Session session) throws IOException {
      if (end == End.COMMIT) {
        session.struck(
            trouble,
            deciding ? fromDecisionOf(job) : op -> true,
            troubled,
            now -> commit(job, selection, now));
      } else if (end == End.ABORT) {
        Abort.abort(session, job);
      }
    }

    /** What follows the first change of the job's status, and perhaps others that were refused. */
    private static Predicate<OpInfo> fromDecisionOf(JobSpec job) {
      String status = IndexKeys.transactionStatus(job.id()) + "=";
      AtomicBoolean decided = new AtomicBoolean();
      return op ->
          decided.get()
              || op.write()
                  && op.summary().contains("compareOmap(" + status)
                  && !op.summary().contains(IndexKeys.OVERWRITE_LOCK + "=" + job.id())
                  && decided.getAndSet(true);
    }

    private void commit(JobSpec job, Selection selection, Session session) throws IOException {
      Commit commit = new Commit(job, validation);
      if (!commit.commit(session, selection) && !(retries && commit.commit(session, selection))) {
        Abort.abort(session, job);
      }
    }
  }

  /** An attempt of a task, by whoever runs it, also once its job has ended. */
  record Attempt(JobSpec job, int task, int attempt, End end) implements JobSteps {

    TaskAttempt id() {
      return SimulatedJobs.attempt(task, attempt);
    }

    @Override
    public void run(Session session) throws IOException {
      boolean done = end == End.COMMIT ? complete(session) : write(session, new TreeMap<>());
      if (!done || end == End.ABORT) {
        abort(session);
      }
    }

    /** Writes and commits it; a commit that fails is tried once more. */
    boolean complete(Session session) throws IOException {
      Map<FsPath, String> written = new TreeMap<>();
      if (!write(session, written)) {
        return false;
      }
      boolean committed = false;
      for (int tries = 2; tries > 0 && !committed; tries--) {
        committed = commit(session, written);
      }
      return committed;
    }

    private boolean write(Session session, Map<FsPath, String> written) throws IOException {
      for (String relative : job.tasks().get(task)) {
        String content = session.newContent(false);
        Optional<Boolean> done =
            session.call(
                "write " + relative + " of " + id() + " of " + job.id(),
                TreeBehaviours.nothing().failing(JobFailures.OF_WRITING),
                () -> {
                  SimulatedJobs fs = jobs(session);
                  WorkFiles.NewWorkFile created = fs.create(at(session, job), id(), relative);
                  String uid = created.data().uid().value();
                  session.content(uid, content);
                  try (StripedOutputStream out = fs.open(created)) {
                    out.write(content.getBytes(StandardCharsets.UTF_8));
                  }
                  written.put(job.file(relative), uid);
                  return true;
                });
        if (done.isEmpty()) {
          return false;
        }
      }
      return true;
    }

    private boolean commit(Session session, Map<FsPath, String> written) throws IOException {
      return session
          .call(
              "commit " + id() + " of " + job.id(),
              JobBehaviours.commitTask(job, id(), written).failing(JobFailures.OF_TASK_COMMIT),
              () -> CommitTaskStage.run(at(session, job), id(), 1))
          .isPresent();
    }

    void abort(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              "abort " + id() + " of " + job.id(),
              JobBehaviours.abortTask(job, id()),
              () -> {
                AbortTaskStage.run(at(session, job), id());
                return true;
              });
    }
  }

  /** A commit by another driver, which knows of no attempts. */
  record Commit(JobSpec job, Validation validation) implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      boolean unused = commit(session, Selection.LAST_OF_EACH_TASK);
    }

    boolean commit(Session session, Selection selection) throws IOException {
      return session
          .call(
              "commit " + job.id(),
              new CommitBehaviour(job, selection).failing(JobFailures.OF_COMMIT),
              () -> {
                var unused =
                    CommitJobStage.run(
                        at(session, job), job.request(selection).validating(validation));
                return true;
              })
          .isPresent();
    }

    /** Those of a few files: registrations, intents, the decision, and what follows it. */
    @Override
    public int writes() {
      return LONG;
    }
  }

  /** An abort, by its driver or by {@code radosfs jobs abort}. */
  record Abort(JobSpec job) implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      abort(session, job);
    }

    private static void abort(Session session, JobSpec job) throws IOException {
      Optional<AbortJobStage.Outcome> unused =
          session.call(
              "abort " + job.id(),
              JobBehaviours.abort(job),
              () -> AbortJobStage.run(at(session, job)));
    }
  }

  /**
   * Lists the jobs, as {@code radosfs jobs list} does. What is in the list of ledgers alone is not
   * looked at: its decision is that of when it was listed.
   */
  record ListJobs() implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Map<String, Transactions.State>> unused =
          session.call(
              toString(),
              JobBehaviours.list(),
              () -> {
                Map<String, Transactions.State> found = new TreeMap<>();
                for (RegisteredJob job :
                    jobs(session).registry().below(FsPath.ROOT, Failures.END)) {
                  if (job.registered()) {
                    found.put(job.id(), job.decision());
                  }
                }
                return found;
              });
    }
  }

  /** Its jobs say that they are alive. */
  record Beat() implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.unseen(
              "beat",
              () -> {
                jobs(session).heartbeats().beat();
                return true;
              });
    }
  }

  /**
   * Ends jobs, as {@code radosfs jobs recover} does, and collects garbage, as {@code gc}; see
   * {@link io.radosfs.connector.explorer.NamespaceSteps}.
   *
   * @param garbage or jobs alone
   */
  record Collect(boolean living, boolean garbage) implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.unseen(
              toString(),
              () -> {
                SimulatedJobs jobs =
                    new SimulatedJobs(session.client(), SimulatedJobs.COLLECTING, Duration.ZERO);
                long before = living ? SimulatedJobs.WORKING : 0;
                if (garbage) {
                  jobs.collect(before);
                } else {
                  jobs.recover(before);
                }
                return true;
              });
    }
  }
}
