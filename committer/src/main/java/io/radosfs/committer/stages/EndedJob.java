package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of a job that another driver may have ended. */
final class EndedJob {

  private static final Logger LOG = LoggerFactory.getLogger(CommitJobStage.class);

  private EndedJob() {}

  /**
   * Whether a job is committed whose commit has failed here: then its user must not be told that it
   * failed. Where that cannot be found out, the failure stands, as this call has decided nothing.
   */
  static boolean isCommittedByAnother(Job job, IOException failure) {
    try {
      return FollowUp.evenIfInterrupted(() -> isToldCommitted(job));
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * By the registration, which decides; where that has gone, by the record, which says what was
   * decided, or once that has gone too, by the report.
   */
  private static boolean isToldCommitted(Job job) throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent()) {
      return decision.get() == Transactions.State.COMMITTED;
    }
    Optional<JobState> recorded = job.record().state();
    return recorded.isPresent()
        ? recorded.get() == JobState.COMMITTED
        : ReportStage.find(job).isPresent();
  }

  /** The record goes before the registration: without both another client has finished the job. */
  static JobCommit unregistered(Job job) throws IOException {
    if (job.record().state().isEmpty()) {
      return withoutRecord(job);
    }
    throw new JobEndedException(
        job
            + " is no more registered in its destination: the directory was removed while the job"
            + " ran");
  }

  /** Either the whole job was finished before, or it was never set up. */
  static JobCommit withoutRecord(Job job) throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent() && decision.get() == Transactions.State.COMMITTED) {
      CleanUpStage.forgotten(job, decision);
      return new JobCommit(true, Optional.empty());
    }
    Optional<SuccessReport> report = ReportStage.find(job);
    if (report.isPresent()) {
      LOG.info("{} was committed before", job);
      return new JobCommit(true, report);
    }
    throw new JobEndedException(
        "there is no "
            + job
            + ": it was aborted, or never set up; nothing was made visible by this call");
  }
}
