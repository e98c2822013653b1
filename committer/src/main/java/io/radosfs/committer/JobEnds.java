// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.committer.stages.AbortJobStage;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobCommit;
import io.radosfs.committer.stages.StageLog;
import io.radosfs.connector.metrics.JobCounts;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits or aborts a job for both shells, and writes a report to the directory for reports ({@link
 * CommitterOptions#REPORT_DIRECTORY}). If a report cannot be written, that is logged; it neither
 * fails the job nor hides its failure.
 */
public final class JobEnds {

  private static final Logger LOG = LoggerFactory.getLogger(JobEnds.class);

  /** The log of the stage, which tells of the commit as information. */
  private static final Logger STAGE_LOG = LoggerFactory.getLogger(CommitJobStage.class);

  private static final ReportWanted ALWAYS = (fs, file) -> true;

  private final CallableRaisingIOE<Job> jobs;
  private final CommitterOptions options;
  private final JobContext context;

  /**
   * @param jobs looks the job up by a connection that lives; each stage uses one
   */
  public JobEnds(CallableRaisingIOE<Job> jobs, CommitterOptions options, JobContext context) {
    this.jobs = jobs;
    this.options = options;
    this.context = context;
  }

  public JobCommit commit(CommitJobStage.Request request) throws IOException {
    StageLog log = new StageLog(progress(context));
    long begun = System.nanoTime();
    Job job = first(jobs);
    boolean again = false;
    JobCommit commit;
    try {
      try {
        commit = CommitJobStage.run(job, request, log);
      } catch (OutcomeUnknownException e) {
        job = again(job, e);
        again = true;
        commit = CommitJobStage.run(job, request, log);
      }
    } catch (IOException | RuntimeException e) {
      counts().failed();
      // An earlier commit, as of a master that died, may have told of a success.
      Job failed = job;
      save(job, log, () -> log.failed(failed, e), JobEnds::saysNoSuccess);
      throw e;
    }
    if (commit.committedHere() || again) {
      counts()
          .committed(
              commit.report().map(SuccessReport::numberOfFiles).orElse(0L),
              commit.report().map(SuccessReport::numberOfBytes).orElse(0L),
              System.nanoTime() - begun);
    }
    if (options.logLevel().isWarning(STAGE_LOG)) {
      LOG.warn("Committed {}: {}", job, log);
    }
    if (commit.repeated()) {
      saveFoundCommitted(job, commit.report(), log);
    } else {
      saveCommitted(job, log, commit.report()::orElseThrow, ALWAYS);
    }
    return commit;
  }

  /**
   * Does what comes before a commit: the commit has failed if it fails. Without a report, as
   * nothing can be said of the job.
   */
  public static <T> T first(CallableRaisingIOE<T> step) throws IOException {
    try {
      return step.apply();
    } catch (IOException | RuntimeException e) {
      counts().failed();
      throw e;
    }
  }

  /**
   * The job to be committed once more, where that could not tell what came of it, as where the
   * cluster has cut this process off: another connection can. Spark repeats no commit, and its user
   * who is told that the job failed runs it again. Not where RADOS did not answer, which would be
   * waited for as long again, nor on an interrupted thread.
   */
  private Job again(Job job, OutcomeUnknownException unknown) throws IOException {
    if (unknown.hasWaitedInFull() || Thread.currentThread().isInterrupted()) {
      throw unknown;
    }
    LOG.warn("{} is committed once more, as it may be committed or not", job, unknown);
    try {
      Job anew = jobs.apply();
      anew.fs().heartbeats().begin(anew.record(), anew.fs().keepOpen());
      return anew;
    } catch (IOException | RuntimeException e) {
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  /**
   * Aborts the job. The report of a failed commit stays as it is, unless that commit had taken
   * effect: whoever reads that it failed runs the job again, and has its rows twice.
   *
   * @param commit its failure is told what the abort has found
   */
  public AbortJobStage.Outcome abort(OwnCommit commit) throws IOException {
    Job job = FollowUp.evenIfInterrupted(jobs);
    AbortJobStage.Ended ended = AbortJobStage.end(job);
    commit.found(job, ended);
    AbortJobStage.Outcome outcome = ended.outcome();
    StageLog log = new StageLog(() -> {});
    switch (outcome) {
      case ABORTED -> {
        if (commit.isFirstAbort()) {
          counts().aborted();
        }
        save(
            job,
            log,
            () -> log.failed(job, new IOException("the job was aborted")),
            (fs, saved) -> !fs.exists(saved));
      }
      case COMMITTED -> saveFoundCommitted(job, Optional.empty(), log);
    }
    return outcome;
  }

  /**
   * The commit that took effect may have been told as failed. A report that tells of it stays: it
   * may list the files.
   */
  private void saveFoundCommitted(Job job, Optional<SuccessReport> found, StageLog log) {
    CallableRaisingIOE<SuccessReport> made =
        () -> found.isPresent() ? found.get() : log.foundCommitted(job);
    saveCommitted(job, log, made, JobEnds::saysNoSuccess);
  }

  /** An interrupt does not keep the report from being saved: a stale one may tell of a failure. */
  private void saveCommitted(
      Job job, StageLog log, CallableRaisingIOE<SuccessReport> made, ReportWanted wanted) {
    saveAs(job, file -> FollowUp.evenIfInterrupted(() -> save(file, log, made, wanted)));
  }

  private static JobCounts counts() {
    return ProcessMetrics.get().jobs();
  }

  private static Runnable progress(JobContext context) {
    if (context instanceof Progressable progressable) {
      return progressable::progress;
    }
    return context instanceof org.apache.hadoop.mapred.JobContext old
        ? old.getProgressible()::progress
        : () -> {};
  }

  /** Whether a report is to be written to a file, which may have one already. */
  private interface ReportWanted {
    boolean in(FileSystem fs, Path file) throws IOException;
  }

  private static boolean saysNoSuccess(FileSystem fs, Path file) throws IOException {
    if (!fs.exists(file)) {
      return true;
    }
    try (InputStream in = fs.open(file)) {
      return !SuccessReport.saysSuccess(in);
    } catch (ChecksumException e) {
      return true; // It was cut off on a local disk.
    }
  }

  private void save(
      Job job, StageLog log, CallableRaisingIOE<SuccessReport> made, ReportWanted wanted) {
    saveAs(job, file -> save(file, log, made, wanted));
  }

  private void saveAs(Job job, ConsumerRaisingIOE<Path> saved) {
    if (options.reportDirectory().isEmpty()) {
      return;
    }
    String name = "summary-" + job.id() + ".json";
    try {
      saved.accept(new Path(options.reportDirectory(), name));
    } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
      // Of a file system that is installed in part, a class is missing: the job has not failed by
      // it.
      LOG.warn(
          "The report of {} could not be saved as {}/{}", job, options.reportDirectory(), name, e);
    }
  }

  private void save(
      Path file, StageLog log, CallableRaisingIOE<SuccessReport> made, ReportWanted wanted)
      throws IOException {
    FileSystem fs = file.getFileSystem(context.getConfiguration());
    if (wanted.in(fs, file)) {
      SuccessReport report = made.apply();
      SuccessReport whole =
          options.reportFiles() ? log.files().map(report::listing).orElse(report) : report;
      try (OutputStream out = fs.create(file, true)) {
        whole.write(out);
      }
    }
  }
}
