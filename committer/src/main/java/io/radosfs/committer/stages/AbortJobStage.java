// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.stages.LoadManifestsStage.Loaded;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts a job. It decides the job's transaction, sets the record to ABORTED, which fences the
 * tasks, and removes all that the job wrote. Until the commit is decided, the abort wins; after it,
 * the job stays committed and its commit is finished. May be repeated, by anyone. If nothing is
 * left of a job, only {@code _SUCCESS} shows that it was committed; without one, it counts as
 * aborted. A job without a record stays registered, as its driver may be setting it up, or a late
 * write of it may still arrive: recovery forgets it.
 *
 * <p>Cost: two reads, two writes, one read for each {@value
 * io.radosfs.connector.job.JobRecord#PAGE} manifests or files, the removals, two writes; if nothing
 * is left of the job, five reads; if its destination was removed, three more.
 */
public final class AbortJobStage {

  private static final Logger LOG = LoggerFactory.getLogger(AbortJobStage.class);

  /** The result of an abort. */
  public enum Outcome {
    ABORTED,
    /** The commit was decided before. */
    COMMITTED
  }

  /**
   * What an abort has come to.
   *
   * @param isShown false if nothing is left of the job that tells, so that it counts as aborted
   */
  public record Ended(Outcome outcome, boolean isShown) {
    private static final Ended COMMITTED = new Ended(Outcome.COMMITTED, true);
    private static final Ended ABORTED = new Ended(Outcome.ABORTED, true);
    private static final Ended COUNTS_AS_ABORTED = new Ended(Outcome.ABORTED, false);
  }

  private AbortJobStage() {}

  public static Outcome run(Job job) throws IOException {
    return end(job).outcome();
  }

  /** The same, which also says whether the outcome is shown by what was found. */
  public static Ended end(Job job) throws IOException {
    try {
      Ended ended = FollowUp.evenIfInterrupted(() -> end(job, JobWriters.MAY_LIVE));
      if (ended.outcome() == Outcome.COMMITTED) {
        LOG.warn("{} cannot be aborted, as it is committed: its files stay visible", job);
      }
      return ended;
    } finally {
      job.fs().heartbeats().end(job.record());
    }
  }

  /**
   * The same for recovery: aborts an undecided job, finishes a committed one.
   *
   * @param writers whether a process of the job may be left
   */
  static Outcome run(Job job, JobWriters writers) throws IOException {
    return end(job, writers).outcome();
  }

  private static Ended end(Job job, JobWriters writers) throws IOException {
    Optional<Transactions.State> registered = job.fs().transactions().state(job.registration());
    if (registered.isPresent()) {
      return end(job, registered, Optional.empty(), writers);
    }
    // It is registered in the directory above; or its destination was removed; or it is being set
    // up, and is registered since the read.
    Optional<JobRecord.Head> head = job.record().head();
    Optional<JobInfo> info = head.flatMap(JobRecord.Head::info);
    Job found = info.isPresent() ? job.as(info.get()) : job;
    if (head.isPresent()) {
      registered = job.fs().transactions().state(found.registration());
    }
    Optional<Job> above = info.isPresent() ? Optional.empty() : job.above();
    if (registered.isEmpty() && above.isPresent()) {
      registered = job.fs().transactions().state(above.get().registration());
      found = registered.isPresent() ? above.get() : found;
    }
    Optional<JobState> recorded = head.flatMap(JobRecord.Head::state);
    return registered.isEmpty() && recorded.isEmpty()
        ? reported(job)
        : end(found, registered, recorded, writers);
  }

  /**
   * @param registered empty if it is not registered any more: then the record says how it ended
   */
  private static Ended end(
      Job job,
      Optional<Transactions.State> registered,
      Optional<JobState> recorded,
      JobWriters writers)
      throws IOException {
    Transactions transactions = job.fs().transactions();
    boolean committed = recorded.equals(Optional.of(JobState.COMMITTED));
    if (!committed && !recorded.equals(Optional.of(JobState.ABORTED))) {
      // The decision may be newer than all that this client has seen of the job, and forgotten.
      committed =
          registered.equals(Optional.of(Transactions.State.COMMITTED))
              || transactions.abort(job.registration()) == Transactions.State.COMMITTED;
    }
    if (committed) {
      finishCommit(job, registered, writers);
      return Ended.COMMITTED;
    }
    if (!job.record().setDecided(JobState.ABORTED, job.fs().now())) {
      if (writers.areGone()) {
        CleanUpStage.forgotten(job, registered, writers);
      }
      // Else the driver may be about to make the record, even after an abort: the registration must
      // then lead to it. Or another client has ended the job meanwhile.
      return reported(job);
    }
    Optional<Loaded> loaded = LoadManifestsStage.run(job);
    if (loaded.isPresent()) {
      CleanUpStage.aborted(job, loaded.get(), writers);
    }
    if (loaded.isEmpty() || loaded.get().contents().info().saysNothing()) {
      // Not the job's own record, or none any more: it may have been committed before that was
      // made.
      return reported(job);
    }
    LOG.info("Aborted {}: nothing of it is visible", job);
    return Ended.ABORTED;
  }

  /** The outcome of a job without a record of its own. Two reads at most. */
  private static Ended reported(Job job) throws IOException {
    return ReportStage.find(job).isPresent() || EndedJob.wasCommittedWhenRemoved(job)
        ? Ended.COMMITTED
        : Ended.COUNTS_AS_ABORTED;
  }

  private static void finishCommit(
      Job job, Optional<Transactions.State> registered, JobWriters writers) throws IOException {
    Optional<Loaded> loaded = LoadManifestsStage.run(job);
    if (loaded.isPresent() && loaded.get().plan().isPresent()) {
      if (registered.isPresent()) {
        job.fs()
            .transactions()
            .resolve(job.registration(), loaded.get().plan().get().directories());
      }
      CleanUpStage.committed(
          job, loaded.get(), loaded.get().plan().get(), /* repeated= */ true, writers);
      return;
    }
    if (loaded.isPresent()) {
      CleanUpStage.revived(job, loaded.get());
    } else if (!job.record().notice().remove()) {
      // Another client ends the job just now by that record, which the registration leads to.
      return;
    }
    CleanUpStage.forgotten(job, registered.map(any -> Transactions.State.COMMITTED), writers);
  }
}
