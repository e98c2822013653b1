package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.explorer.Answer;
import io.radosfs.connector.explorer.Behaviour;
import io.radosfs.connector.explorer.Session;
import io.radosfs.connector.explorer.Step;
import io.radosfs.connector.explorer.TreeBehaviours;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What drivers of jobs, and those who look after jobs, do. */
sealed interface JobSteps extends Step {

  private static SimulatedJobs jobs(Session session) throws IOException {
    return session.attachment(
        SimulatedJobs.class,
        () -> new SimulatedJobs(session.client(), SimulatedJobs.WORKING, Duration.ZERO));
  }

  /** What a job replaces. */
  enum Kind {
    APPEND,
    OVERWRITE,
    DYNAMIC
  }

  /** How a driver ends it, if all goes well so far. */
  enum End {
    COMMIT,
    ABORT,
    NONE
  }

  /** A whole job; where its commit fails it is aborted, as an engine does. */
  record Run(String id, Kind kind, List<String> files, boolean success, End end)
      implements JobSteps {

    @Override
    public void run(Session session) throws IOException {
      Map<FsPath, String> written = new TreeMap<>();
      boolean ready = setUp(session) && write(session, written) && commitTask(session);
      if (!ready) {
        abort(session);
      } else if (end == End.COMMIT) {
        commit(session, written);
      } else if (end == End.ABORT) {
        abort(session);
      }
    }

    private Job job(Session session) throws IOException {
      return Job.of(jobs(session), SimulatedJobs.OUT, id);
    }

    private Overwrite overwrite() {
      return switch (kind) {
        case APPEND -> Overwrite.NOTHING;
        case OVERWRITE -> Overwrite.of(SimulatedJobs.OUT);
        case DYNAMIC -> Overwrite.WRITTEN_PARTITIONS;
      };
    }

    private boolean setUp(Session session) throws IOException {
      return session
          .call(
              "set up " + this,
              settingUp(),
              () -> {
                SimulatedJobs.setUp(job(session));
                return true;
              })
          .isPresent();
    }

    /** Makes the destination and then registers, which is refused where others remove it. */
    private static Behaviour settingUp() {
      Behaviour making = TreeBehaviours.mkdirs(SimulatedJobs.OUT);
      return (tree, state, answer) -> {
        List<Behaviour.Next> next = new ArrayList<>(making.next(tree, state, answer));
        if (answer.is(Answer.Kind.REFUSED) && !tree.isDirectory(SimulatedJobs.OUT)) {
          next.add(new Behaviour.Next(tree, Behaviour.DONE));
        }
        return next;
      };
    }

    private boolean write(Session session, Map<FsPath, String> written) throws IOException {
      for (String relative : files) {
        String content = session.newContent(false);
        Optional<Boolean> done =
            session.unseen(
                "write " + relative + " of " + id,
                () -> {
                  SimulatedJobs fs = jobs(session);
                  WorkFiles.NewWorkFile created =
                      fs.create(job(session), SimulatedJobs.attempt(0, 0), relative);
                  String uid = created.file().uid().value();
                  session.content(uid, content);
                  try (StripedOutputStream out = fs.open(created)) {
                    out.write(content.getBytes(StandardCharsets.UTF_8));
                  }
                  written.put(new FsPath(SimulatedJobs.OUT.key() + "/" + relative), uid);
                  return true;
                });
        if (done.isEmpty()) {
          return false;
        }
      }
      return true;
    }

    private boolean commitTask(Session session) throws IOException {
      return session
          .unseen(
              "commit task of " + id,
              () -> CommitTaskStage.run(job(session), SimulatedJobs.attempt(0, 0), 1))
          .isPresent();
    }

    private void commit(Session session, Map<FsPath, String> written) throws IOException {
      CommitJobStage.Request request =
          new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite(), success);
      Optional<Boolean> committed =
          session.call(
              "commit " + id,
              new CommitBehaviour(written, kind, success),
              () -> {
                var unused = CommitJobStage.run(job(session), request);
                return true;
              });
      if (committed.isEmpty()) {
        abort(session);
      }
    }

    private void abort(Session session) throws IOException {
      Optional<AbortJobStage.Outcome> unused =
          session.unseen("abort " + id, () -> AbortJobStage.run(job(session)));
    }
  }

  /** Ends jobs and collects garbage; see {@link io.radosfs.connector.explorer.NamespaceSteps}. */
  record Collect(boolean living) implements JobSteps {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.unseen(
              "collect jobs " + living,
              () -> {
                new SimulatedJobs(session.client(), SimulatedJobs.COLLECTING, Duration.ZERO)
                    .collect(living ? SimulatedJobs.WORKING : 0);
                return true;
              });
    }
  }
}
