// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out the outcome of a job that another driver may have ended. */
final class EndedJob {

  private static final Logger LOG = LoggerFactory.getLogger(CommitJobStage.class);

  private EndedJob() {}

  /** What is known of a job whose commit has failed here: another driver may have committed it. */
  enum Known {
    COMMITTED,
    NOT_COMMITTED,

    /** Nothing is left that tells: it may have been committed, and all that it wrote replaced. */
    GONE,

    /** It could not be looked at, as often where the commit has failed: neither may be told. */
    NOTHING
  }

  /**
   * Looks at a job whose commit has failed here. The user of a job that is committed must not be
   * told that it failed, or they run it again.
   *
   * @param failure gets the failure of the look as a suppressed one
   */
  static Known known(Job job, IOException failure) {
    try {
      return FollowUp.evenIfInterrupted(() -> told(job));
    } catch (IOException e) {
      failure.addSuppressed(e);
      return Known.NOTHING;
    }
  }

  /**
   * Whether the failed commit has sent an operation whose outcome it could not find out, also where
   * an interrupt has ended it then: no other look tells.
   */
  static boolean isLeftOpen(IOException failure) {
    return failure instanceof OutcomeUnknownException
        || failure instanceof InterruptedIOException
            && Arrays.stream(failure.getSuppressed())
                .anyMatch(OutcomeUnknownException.class::isInstance);
  }

  /** What to say of a commit that has failed, by what is known of the job. */
  static IOException asTold(Known known, Job job, IOException failure) {
    return switch (known) {
      case COMMITTED, NOT_COMMITTED -> failure;
      case GONE -> {
        if (failure instanceof JobEndedException) {
          yield failure;
        }
        JobEndedException gone = gone(job);
        gone.initCause(failure);
        yield gone;
      }
      case NOTHING -> unknown(job, failure);
    };
  }

  /** Says of a commit that has failed that nothing is known of the job. */
  private static OutcomeUnknownException unknown(Job job, IOException failure) {
    return new OutcomeUnknownException(
        job
            + ": this commit failed, and whether another driver has committed the job could not be"
            + " found out: "
            + failure.getMessage()
            + ". Commit it again, or see `radosfs jobs list` before the job is run once more",
        failure);
  }

  /**
   * Asks the registration, which decides. If it is gone: the record, then the list of jobs whose
   * destination was removed, then the report. A record in another state proves nothing: recovery
   * may have made it after the job's own.
   */
  private static Known told(Job asked) throws IOException {
    Job job = asked.asRegistered();
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent()) {
      return decision.get() == Transactions.State.COMMITTED ? Known.COMMITTED : Known.NOT_COMMITTED;
    }
    boolean committed =
        job.record().state().equals(Optional.of(JobState.COMMITTED))
            || wasCommittedWhenRemoved(job)
            || ReportStage.find(job).isPresent();
    return committed ? Known.COMMITTED : Known.GONE;
  }

  /** Whether the list of jobs that no directory leads to has it as committed. One read. */
  static boolean wasCommittedWhenRemoved(Job job) throws IOException {
    return job.fs()
        .transactions()
        .stateWhenRemoved(job.registration())
        .equals(Optional.of(Transactions.State.COMMITTED));
  }

  /** The record goes before the registration: if both are gone, another client finished the job. */
  static JobCommit unregistered(Job job) throws IOException {
    Optional<JobState> recorded = job.record().state();
    if (recorded.isEmpty()) {
      return withoutRecord(job);
    }
    if (recorded.get() == JobState.COMMITTED || wasCommittedWhenRemoved(job)) {
      return committedBeforeRemoval(job);
    }
    throw new JobEndedException(
        job
            + " is no longer registered in its destination: the directory was removed while the job"
            + " ran");
  }

  /**
   * The record is COMMITTED and has no plan: it was removed, then made again by a collector that
   * noticed a missing one, and recovery has seen the decision.
   */
  static JobCommit recordedAgain(Job job) {
    LOG.info("{} is committed already; its record was removed and made again since", job);
    return JobCommit.found(Optional.empty());
  }

  private static JobCommit committedBeforeRemoval(Job job) {
    LOG.info("{} was committed before, and is no longer registered", job);
    return JobCommit.found(Optional.empty());
  }

  /**
   * Either the whole job was finished before, or it was never set up. If that cannot be found out,
   * another client may have committed it; this call has decided nothing.
   *
   * @throws JobEndedException if nothing that is left shows that it is committed
   * @throws OutcomeUnknownException if it may be committed
   */
  static JobCommit withoutRecord(Job job) throws IOException {
    try {
      return lookedUp(job);
    } catch (JobEndedException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (known(job, e) == Known.COMMITTED) {
        return JobCommit.found(Optional.empty());
      }
      throw unknown(job, e);
    }
  }

  private static JobCommit lookedUp(Job asked) throws IOException {
    Job job = asked.asRegistered();
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent() && decision.get() == Transactions.State.COMMITTED) {
      // Set up and committed since this call found no record, the job may have one that stays.
      if (job.record().head().isEmpty()) {
        CleanUpStage.forgotten(job, decision, JobWriters.MAY_LIVE);
      }
      return JobCommit.found(Optional.empty());
    }
    Optional<SuccessReport> report = ReportStage.find(job);
    if (report.isPresent()) {
      LOG.info("{} was committed before", job);
      return JobCommit.found(report);
    }
    if (wasCommittedWhenRemoved(job)) {
      return committedBeforeRemoval(job);
    }
    throw gone(job);
  }

  private static JobEndedException gone(Job job) {
    return new JobEndedException(
        "there is no "
            + job
            + ": it was aborted, or never set up, or all that it wrote was removed or replaced"
            + " since; nothing was made visible by this call");
  }
}
