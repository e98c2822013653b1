// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.Destination;
import io.radosfs.committer.JobEnds;
import io.radosfs.committer.OwnCommit;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.AbortTaskStage;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.CommitTaskStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobCommit;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.committer.stages.TaskCommit;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.store.FollowUp;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileNameSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.collection.Seq;

/**
 * Commits what Spark SQL writes: {@code spark.sql.sources.commitProtocolClass}.
 *
 * <p>A job becomes visible at one instant, with exactly the files of the attempts whose commit was
 * reported to the driver. What it overwrites, statically or by written partitions, is removed at
 * the same instant, and stays if the job fails.
 *
 * <p>The setting is for a whole session. So for a destination that is not on radosfs, it delegates
 * to Spark's own protocol ({@link OthersProtocol}).
 */
public class RadosCommitProtocol extends FileCommitProtocol implements Serializable {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RadosCommitProtocol.class);

  private final String jobId;
  private final String path;
  private final boolean dynamicPartitionOverwrite;

  /** Names the job's record: Spark may use a job id again. */
  private final String recordId;

  /** Absolute paths in the file system, replaced by the job's commit. */
  private final HashSet<String> replaced = new HashSet<>();

  /** Spark's own protocol, if the destination is not on radosfs; decided on the driver. */
  private FileCommitProtocol other;

  private boolean decided;

  /**
   * Files that this task attempt has asked for, of this object. The driver looks whether the job's
   * record has any where there are none.
   */
  private transient int filesAsked;

  /** False on the driver, which does not know for which files attempts have asked. */
  private transient boolean tasksRunHere;

  /** None where tasks run. */
  private transient OwnCommit ownCommit;

  /**
   * Called by Spark, by this signature.
   *
   * @param jobId unique enough to be in the files' names
   * @param path the destination
   */
  public RadosCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    this.jobId = jobId;
    this.path = path;
    this.dynamicPartitionOverwrite = dynamicPartitionOverwrite;
    this.recordId = jobId + "-" + UUID.randomUUID().toString().substring(0, 8);
  }

  @Override
  public void setupJob(JobContext context) {
    if (isOthers(context.getConfiguration())) {
      other.setupJob(context);
      return;
    }
    quietly(
        () -> {
          CommitterOptions.tellOfUnknown(context.getConfiguration(), destination(context).path());
          ParquetSummaries.tellIfAskedFor(context.getConfiguration(), path);
          Job job = job(context);
          ForgottenJobs.endWith(this, job);
          SetupJobStage.run(
              job,
              Destination.info(recordId, jobId, "JobUUID", "spark").replacing(overwrite().paths()),
              RequireEmpty.NOTHING,
              options(context).overwriteConflict(),
              JobLease.of(options(context).lease()));
          return null;
        });
  }

  /** What Spark calls that is compiled for Scala 2.13. */
  @SuppressWarnings("MissingOverride") // With Scala 2.12 this one overrides nothing.
  public void commitJob(
      JobContext context, scala.collection.immutable.Seq<TaskCommitMessage> commits) {
    commitJob(context, (Seq<TaskCommitMessage>) commits);
  }

  /**
   * What Spark calls that is compiled for Scala 2.12, whose {@code Seq} is this one. With both, one
   * jar serves both.
   */
  @SuppressWarnings("MissingOverride") // With Scala 2.13 this one overrides nothing.
  public void commitJob(JobContext context, Seq<TaskCommitMessage> commits) {
    if (isOthers(context.getConfiguration())) {
      SparksCommitJob.call(other, context, commits);
      return;
    }
    quietly(() -> ownCommit().run(() -> commit(context, commits)));
  }

  private JobCommit commit(JobContext context, Seq<TaskCommitMessage> commits) throws IOException {
    CommitterOptions options = JobEnds.first(() -> options(context));
    CommitJobStage.Request request =
        new CommitJobStage.Request(
                TaskMessages.selection(commits), overwrite(), options.writeSuccess())
            .validating(options.validation());
    return new JobEnds(() -> job(context), options, context).commit(request);
  }

  private OwnCommit ownCommit() {
    if (ownCommit == null) {
      ownCommit = new OwnCommit();
    }
    return ownCommit;
  }

  /** Throws nothing: Spark would throw that instead of the job's failure. */
  @Override
  public void abortJob(JobContext context) {
    if (isOthers(context.getConfiguration())) {
      other.abortJob(context);
      return;
    }
    if (ownCommit().isMade("job " + recordId + " on " + path)) {
      return;
    }
    try {
      CommitterOptions options = FollowUp.evenIfInterrupted(() -> options(context));
      var unused = new JobEnds(() -> job(context), options, context).abort(ownCommit());
    } catch (IOException | RuntimeException e) {
      Destination.leave(new Path(path), context.getConfiguration(), recordId, e);
      LOG.warn(
          "Job {} on {} could not be aborted. Nothing of it is visible, unless its commit was decided."
              + " `radosfs jobs recover`, `radosfs gc` or the next job there ends it and removes what"
              + " it wrote",
          recordId,
          path,
          e);
    }
  }

  @Override
  public void setupTask(TaskAttemptContext context) {
    filesAsked = 0;
    tasksRunHere = true;
    if (isOthers(context.getConfiguration())) {
      other.setupTask(context);
    }
  }

  @Override
  @SuppressWarnings("deprecation")
  public String newTaskTempFile(TaskAttemptContext context, Option<String> dir, String ext) {
    return newTaskTempFile(context, dir, new FileNameSpec("", ext));
  }

  @Override
  public String newTaskTempFile(TaskAttemptContext context, Option<String> dir, FileNameSpec spec) {
    if (isOthers(context.getConfiguration())) {
      return other.newTaskTempFile(context, dir, spec);
    }
    filesAsked++;
    String name = fileName(context, spec);
    String relative = dir.isDefined() ? dir.get() + "/" + name : name;
    return quietly(
        () -> destination(context).workPath(recordId, attempt(context), relative).toString());
  }

  /** The same names as those of Spark's own protocol. */
  private String fileName(TaskAttemptContext context, FileNameSpec spec) {
    int split = context.getTaskAttemptID().getTaskID().getId();
    String basename = context.getConfiguration().get("mapreduce.output.basename", "part");
    return spec.prefix()
        + basename
        + String.format(Locale.ROOT, "-%05d-", split)
        + jobId
        + spec.suffix();
  }

  @Override
  @SuppressWarnings("deprecation")
  public String newTaskTempFileAbsPath(TaskAttemptContext context, String absoluteDir, String ext) {
    return newTaskTempFileAbsPath(context, absoluteDir, new FileNameSpec("", ext));
  }

  @Override
  public String newTaskTempFileAbsPath(
      TaskAttemptContext context, String absoluteDir, FileNameSpec spec) {
    if (isOthers(context.getConfiguration())) {
      return other.newTaskTempFileAbsPath(context, absoluteDir, spec);
    }
    filesAsked++;
    String name = fileName(context, spec);
    return quietly(
        () -> {
          Destination table = destination(context);
          Path location = new Path(absoluteDir);
          if (dynamicPartitionOverwrite) {
            table.requireAnother(location);
          }
          return table.workPathAt(recordId, attempt(context), location, name).toString();
        });
  }

  @Override
  public TaskCommitMessage commitTask(TaskAttemptContext context) {
    if (isOthers(context.getConfiguration())) {
      return other.commitTask(context);
    }
    TaskAttempt attempt = attempt(context);
    if (filesAsked == 0) {
      return TaskMessages.of(new TaskCommit(attempt, 0, 0));
    }
    TaskCommit commit =
        quietly(() -> CommitTaskStage.run(job(context), attempt, System.currentTimeMillis()));
    ProcessMetrics.get().jobs().taskCommitted();
    return TaskMessages.of(commit);
  }

  /**
   * Also for an attempt that ran elsewhere: the driver calls it if an executor is gone. Throws
   * nothing, like {@link #abortJob}.
   */
  @Override
  public void abortTask(TaskAttemptContext context) {
    if (isOthers(context.getConfiguration())) {
      other.abortTask(context);
      return;
    }
    if (tasksRunHere && filesAsked == 0) {
      return;
    }
    try {
      AbortTaskStage.run(job(context), attempt(context));
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "{} of job {} on {} could not be aborted; what it wrote is removed when the job ends",
          context.getTaskAttemptID(),
          recordId,
          path,
          e);
    }
  }

  /**
   * Deletes nothing yet: the job's commit replaces the data; it stays if the job fails (I8). At
   * others' destinations it deletes at once, as Spark does. That comes before the job, by whose
   * settings the protocol is chosen: a file system may have been made with others.
   */
  @Override
  public boolean deleteWithJob(FileSystem fs, Path target, boolean recursive) {
    requireRelease(); // before anything is deleted, also elsewhere
    if (other != null) {
      return other.deleteWithJob(fs, target, recursive);
    }
    return quietly(
        () -> {
          if (isElsewhere(fs.getConf())) {
            return fs.delete(target, recursive);
          }
          Path replacedPath = fs.makeQualified(target);
          replaced.add(destination(fs.getConf()).location(replacedPath).toString());
          return true;
        });
  }

  @Override
  public void onTaskCommit(TaskCommitMessage message) {
    if (other != null) {
      other.onTaskCommit(message);
    }
  }

  private Overwrite overwrite() throws IOException {
    Set<FsPath> paths = new TreeSet<>();
    for (String replacedPath : replaced) {
      paths.add(FsPath.parse(replacedPath));
    }
    return new Overwrite(paths, dynamicPartitionOverwrite);
  }

  private CommitterOptions options(JobContext context) throws IOException {
    return CommitterOptions.of(context.getConfiguration(), destination(context).path());
  }

  /** The tests have another Spark run it. */
  void requireRelease() {
    SparkRelease.require();
  }

  private boolean isOthers(Configuration conf) {
    if (!decided) {
      requireRelease();
      if (quietly(() -> isElsewhere(conf))) {
        other = OthersProtocol.of(jobId, path, dynamicPartitionOverwrite, conf);
      }
      decided = true;
    }
    return other != null;
  }

  private boolean isElsewhere(Configuration conf) throws IOException {
    return path == null || Destination.find(new Path(path), conf).isEmpty();
  }

  private Destination destination(Configuration conf) throws IOException {
    return Destination.of(new Path(path), conf);
  }

  private Destination destination(JobContext context) throws IOException {
    return destination(context.getConfiguration());
  }

  private Job job(JobContext context) throws IOException {
    return destination(context).job(recordId);
  }

  private static TaskAttempt attempt(TaskAttemptContext context) {
    return Destination.attempt(context.getTaskAttemptID());
  }

  private interface Throwing<T> {
    T run() throws IOException;
  }

  /** Scala's methods declare no exceptions, and throw them all the same. */
  private static <T> T quietly(Throwing<T> code) {
    try {
      return code.run();
    } catch (IOException e) {
      throw RadosCommitProtocol.<RuntimeException>asUnchecked(e);
    }
  }

  @SuppressWarnings("unchecked")
  static <E extends Throwable> E asUnchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
