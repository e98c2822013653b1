// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.stages.LoadManifestsStage.Loaded;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts a job: decides its transaction, says so in the record, which fences the tasks, and removes
 * everything that the job wrote. Until the commit is decided, abort wins; after it, the job stays
 * committed and is finished. May be repeated, by anyone. Of a job of which nothing is left, {@code
 * _SUCCESS} alone tells that it was committed; without one, it counts as aborted. One that has no
 * record stays registered, as its driver may be setting it up, or what it sent then may still come:
 * recovery forgets it.
 *
 * <p>Cost: two reads, two writes, one read for each {@value
 * io.radosfs.connector.job.JobRecord#PAGE} manifests or files, the removals, two writes; of a job
 * of which nothing is left, four reads; of one whose destination was removed, one more.
 */
public final class AbortJobStage {

  private static final Logger LOG = LoggerFactory.getLogger(AbortJobStage.class);

  /** What became of it. */
  public enum Outcome {
    ABORTED,
    /** The commit came first. */
    COMMITTED
  }

  private AbortJobStage() {}

  public static Outcome run(Job job) throws IOException {
    try {
      Outcome outcome = FollowUp.evenIfInterrupted(() -> run(job, /* writersGone= */ false));
      if (outcome == Outcome.COMMITTED) {
        LOG.warn("{} cannot be aborted, as it is committed: its files stay visible", job);
      }
      return outcome;
    } finally {
      job.fs().heartbeats().end(job.record());
    }
  }

  /**
   * The same for recovery: what is undecided is aborted, what is committed is finished.
   *
   * @param writersGone whether no process of the job is left, as when it is long past: nothing is
   *     then kept to find what one may yet write
   */
  public static Outcome run(Job job, boolean writersGone) throws IOException {
    Transactions transactions = job.fs().transactions();
    Optional<Transactions.State> registered = transactions.state(job.registration());
    boolean committed = false;
    if (registered.isEmpty()) {
      Optional<JobState> recorded = job.record().state();
      if (recorded.isEmpty()) {
        return reported(job);
      }
      // Its destination was removed; or it is set up just now, where the registration comes first.
      committed = recorded.get() == JobState.COMMITTED;
      registered = transactions.state(job.registration());
    }
    if (registered.isPresent()) {
      // A decision that is known may be forgotten by now, and an abort of nothing is one.
      committed =
          registered.get() == Transactions.State.COMMITTED
              || transactions.abort(job.registration()) == Transactions.State.COMMITTED;
    }
    if (committed) {
      finishCommit(job, registered, writersGone);
      return Outcome.COMMITTED;
    }
    if (!job.record().setDecided(JobState.ABORTED, job.fs().now())) {
      if (writersGone) {
        CleanUpStage.forgotten(job, registered);
      }
      // Else its driver may be about to make the record, also if the job was aborted before, and
      // the registration then leads to it; or another has brought the job to its end meanwhile.
      return reported(job);
    }
    Optional<Loaded> loaded = LoadManifestsStage.run(job);
    if (loaded.isPresent()) {
      CleanUpStage.aborted(job, loaded.get(), writersGone);
    }
    LOG.info("Aborted {}: nothing of it is visible", job);
    return Outcome.ABORTED;
  }

  /** What became of a job that has no record. */
  private static Outcome reported(Job job) throws IOException {
    return ReportStage.find(job).isPresent() ? Outcome.COMMITTED : Outcome.ABORTED;
  }

  private static void finishCommit(
      Job job, Optional<Transactions.State> registered, boolean writersGone) throws IOException {
    Optional<Loaded> loaded = LoadManifestsStage.run(job);
    if (loaded.isPresent() && loaded.get().plan().isPresent()) {
      if (registered.isPresent()) {
        job.fs()
            .transactions()
            .resolve(job.registration(), loaded.get().plan().get().directories());
      }
      CleanUpStage.committed(
          job, loaded.get(), loaded.get().plan().get(), /* repeated= */ true, writersGone);
    } else {
      if (loaded.isPresent()) {
        CleanUpStage.revived(job, loaded.get());
      }
      CleanUpStage.forgotten(job, registered);
    }
  }
}
