// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.AbortTaskStage;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.CommitTaskStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.committer.stages.TaskCommit;
import io.radosfs.connector.job.AttemptRecord;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.metrics.ProcessMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer for Hadoop MapReduce, Spark's RDD functions, and protocols of Spark SQL that work
 * with any committer. Tasks write under {@link #getWorkPath}. The job's commit makes the last
 * committed attempt of each task visible.
 *
 * <p>Each method takes the job from the context that it is given: Spark's driver makes the
 * committer with an attempt of another job. For Spark SQL, whose save mode has decided before, the
 * conflict mode does not count.
 */
public class RadosOutputCommitter extends PathOutputCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(RadosOutputCommitter.class);

  private static final String APPLICATION_ATTEMPT = "mapreduce.job.application.attempt.id";

  private final Path outputPath;
  private final Configuration conf;
  private final Optional<TaskAttempt> attempt;
  private final FsPath destination;
  private final CommitterOptions options;
  private final boolean isOfSparkSql;

  /** The job with which this was made. */
  private final JobName madeFor;

  /** How many application masters there were, with this one. */
  private final int masters;

  /** The id of the record that this process uses for a job; none until it has looked. */
  private final Map<JobName, String> recordIds = new ConcurrentHashMap<>();

  private final Map<JobName, OwnCommit> commits = new ConcurrentHashMap<>();

  /** For a task; Hadoop's application master and Spark's driver use it too. */
  public RadosOutputCommitter(Path outputPath, TaskAttemptContext context) throws IOException {
    this(outputPath, context, context.getTaskAttemptID());
  }

  /** For a job. */
  public RadosOutputCommitter(Path outputPath, JobContext context) throws IOException {
    this(outputPath, context, null);
  }

  private RadosOutputCommitter(Path path, JobContext context, TaskAttemptID attempt)
      throws IOException {
    super(path, context);
    Destination found = Destination.of(path, context.getConfiguration());
    this.outputPath = found.path();
    this.conf = context.getConfiguration();
    this.attempt = Optional.ofNullable(attempt).map(Destination::attempt);
    this.destination = Destination.fsPath(outputPath);
    this.options = CommitterOptions.of(conf, outputPath);
    this.isOfSparkSql = RadosCommitterFactory.isOfSparkSql(conf);
    this.masters = conf.getInt(APPLICATION_ATTEMPT, 1);
    this.madeFor =
        JobName.of(context)
            .orElseThrow(() -> new IOException("a job without an id cannot be committed"));
  }

  private OwnCommit own(JobContext context) {
    return commits.computeIfAbsent(name(context), job -> new OwnCommit());
  }

  private JobName name(JobContext context) {
    return JobName.of(context).orElse(madeFor);
  }

  /** The job by the current connection; each step of the job uses one connection. */
  private Job job(JobContext context) throws IOException {
    Destination found = Destination.of(outputPath, context.getConfiguration());
    return found.job(recordId(found, name(context)));
  }

  /**
   * The id of the record that the job has. If it has none, that of the first master: then there is
   * no such job. Costs nothing with the first master; later once, one read for each before this
   * one, at most.
   */
  private String recordId(Destination found, JobName name) throws IOException {
    String known = recordIds.get(name);
    if (known != null) {
      return known;
    }
    List<String> ids = name.recordIds(masters);
    int id = 0;
    while (id < ids.size() - 1 && found.job(ids.get(id)).record().state().isEmpty()) {
      id++;
    }
    recordIds.put(name, ids.get(id));
    return ids.get(id);
  }

  @Override
  public Path getOutputPath() {
    return outputPath;
  }

  /** Where the task writes; for a committer of a job, which writes nothing, the destination. */
  @Override
  public Path getWorkPath() throws IOException {
    if (attempt.isEmpty()) {
      return outputPath;
    }
    Destination found = Destination.of(outputPath, conf);
    return found.workPath(recordId(found, madeFor), attempt.get(), /* relative= */ "");
  }

  @Override
  public void setupJob(JobContext context) throws IOException {
    CommitterOptions.tellOfUnknown(context.getConfiguration(), outputPath);
    Destination found = Destination.of(outputPath, context.getConfiguration());
    JobName name = name(context);
    name.noteIn(context);
    List<String> ids = name.recordIds(masters);
    Job own = found.job(ids.get(0));
    JobInfo info =
        Destination.info(own.id(), name.id(), name.source(), "mapreduce")
            .replacing(overwrite().paths());
    if (context.getConfiguration().get(APPLICATION_ATTEMPT) != null) {
      info = info.asRestartable();
    }
    List<Job> earlier = new ArrayList<>();
    for (String id : ids.subList(1, ids.size())) {
      earlier.add(found.job(id));
    }
    JobLease lease = JobLease.of(options.lease());
    if (earlier.isEmpty()) {
      SetupJobStage.run(own, info, requireEmpty(), options.overwriteConflict(), lease);
    } else {
      Job resumed = SetupJobStage.resume(own, earlier, info, options.overwriteConflict(), lease);
      recordIds.put(name, resumed.id());
    }
  }

  private Overwrite overwrite() {
    return isOfSparkSql ? Overwrite.NOTHING : options.overwrite(destination);
  }

  private RequireEmpty requireEmpty() {
    return isOfSparkSql ? RequireEmpty.NOTHING : options.requireEmpty();
  }

  @Override
  public void commitJob(JobContext context) throws IOException {
    CommitJobStage.Request request =
        new CommitJobStage.Request(
            Selection.LAST_OF_EACH_TASK,
            overwrite(),
            requireEmpty(),
            options.writeSuccess(),
            options.validation());
    var unused =
        own(context).run(() -> new JobEnds(() -> job(context), options, context).commit(request));
  }

  @Override
  public void abortJob(JobContext context, JobStatus.State state) throws IOException {
    if (own(context).isMade("job " + name(context).id() + " on " + destination)) {
      return;
    }
    try {
      var unused = new JobEnds(() -> job(context), options, context).abort(own(context));
    } catch (IOException | RuntimeException e) {
      for (String id : name(context).recordIds(masters)) {
        Destination.leave(outputPath, context.getConfiguration(), id, e);
      }
      throw e;
    }
  }

  /** Does nothing: the job's record exists since the job was set up. */
  @Override
  public void setupTask(TaskAttemptContext context) {}

  /** Returns whether the attempt has anything in the job's record. One read or more. */
  @Override
  public boolean needsTaskCommit(TaskAttemptContext context) throws IOException {
    try {
      AttemptRecord.Contents attempt = job(context).record().of(attempt(context)).contents();
      // One without files takes the place of an earlier one of the task: its rows may be elsewhere.
      return !attempt.files().isEmpty()
          || attempt.manifest().isPresent()
          || attempt.otherManifests() > 0;
    } catch (JobEndedException e) {
      LOG.info("Nothing to commit for {}: {}", context.getTaskAttemptID(), e.getMessage());
      return false;
    }
  }

  @Override
  public void commitTask(TaskAttemptContext context) throws IOException {
    TaskCommit commit =
        CommitTaskStage.run(job(context), attempt(context), System.currentTimeMillis());
    ProcessMetrics.get().jobs().taskCommitted();
    context.progress();
    LOG.debug("Committed {}: {} files, {} bytes", commit, commit.files(), commit.bytes());
  }

  @Override
  public void abortTask(TaskAttemptContext context) throws IOException {
    AbortTaskStage.run(job(context), attempt(context));
  }

  /** An undecided commit is done again by the plan; a decided one is finished. */
  @Override
  public boolean isCommitJobRepeatable(JobContext context) {
    return true;
  }

  /** The manifests of committed tasks outlive the application master. */
  @Override
  public boolean isRecoverySupported(JobContext context) {
    return true;
  }

  /**
   * The manifest of a committed attempt is in the job's record, unless that has gone and this
   * master has set the job up again.
   *
   * @throws JobEndedException if it has; MapReduce then runs the task again
   */
  @Override
  public void recoverTask(TaskAttemptContext context) throws IOException {
    Job job = job(context);
    if (masters > 1 && job.id().equals(name(context).recordIds(masters).get(0))) {
      throw new JobEndedException(
          "what attempt "
              + attempt(context)
              + " has written is gone: another client ended the job before this application master"
              + " has set it up again, as "
              + job
              + ". Its task runs again");
    }
  }

  private static TaskAttempt attempt(TaskAttemptContext context) {
    return Destination.attempt(context.getTaskAttemptID());
  }

  @Override
  public String toString() {
    return "RadosOutputCommitter{job "
        + madeFor.id()
        + " on "
        + destination
        + attempt.map(task -> ", attempt " + task).orElse("")
        + "}";
  }
}
