// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.JobUpkeep.Outcome;
import io.radosfs.connector.job.JobUpkeep.Recovered;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;

/**
 * Brings a job to its end whose driver seems dead. What is decided is finished, all else aborted;
 * both begin with a fence, so that a driver or task that is alive after all can add nothing, and is
 * told why.
 *
 * <p>The record stays for as long again as the job had no heartbeat, if a process of the job may
 * yet write what it has begun: a second call, later, removes that and the record.
 *
 * <p>Cost: one read where the job is alive; else that of {@link AbortJobStage}, and two reads.
 */
public final class RecoverJobStage {

  private RecoverJobStage() {}

  /**
   * @param found how the job was decided when it was found; matters where its destination has gone
   * @param before only if its last heartbeat was then or earlier; milliseconds since the epoch
   */
  public static Recovered run(Job job, Transactions.State found, long before) throws IOException {
    Optional<JobRecord.Head> head = job.record().head();
    if (head.isEmpty()) {
      return withoutRecord(job);
    }
    if (head.get().lastHeartbeat() > before) {
      return new Recovered(Outcome.ALIVE, true);
    }
    if (head.get().state().isEmpty() && !refuse(job, head.get())) {
      return new Recovered(Outcome.ALIVE, true);
    }
    Optional<Transactions.State> registered = job.fs().transactions().state(job.registration());
    boolean noticedAlone = head.get().state().isEmpty();
    if (registered.isEmpty() && found == Transactions.State.COMMITTED && !noticedAlone) {
      // The destination was removed after the commit: files of it may be elsewhere by now.
      boolean unused = job.record().setDecided(JobState.COMMITTED, job.fs().now());
    }
    boolean ended = head.get().isDecided();
    AbortJobStage.Outcome outcome = AbortJobStage.run(job, /* writersGone= */ ended);
    Optional<JobRecord.Head> rest = job.record().head();
    if (!ended && rest.isPresent() && rest.get().lastHeartbeat() <= before) {
      outcome = AbortJobStage.run(job, /* writersGone= */ true);
      rest = job.record().head();
    }
    return new Recovered(
        outcome == AbortJobStage.Outcome.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED,
        rest.isPresent());
  }

  /** It is being set up, or nothing of it is left but its registration. */
  private static Recovered withoutRecord(Job job) throws IOException {
    Optional<Transactions.State> registered = job.fs().transactions().state(job.registration());
    if (registered.isEmpty()) {
      return new Recovered(Outcome.GONE, false);
    }
    if (registered.get() != Transactions.State.COMMITTED) {
      // Nor does an abort tell that the record was there: it may have come before it.
      return new Recovered(Outcome.UNRECORDED, true);
    }
    CleanUpStage.forgotten(job, registered);
    return new Recovered(Outcome.COMMITTED, false);
  }

  /** Keeps a job that has no record from being set up; false when it has been meanwhile. */
  private static boolean refuse(Job job, JobRecord.Head noticed) throws IOException {
    JobInfo unknown = JobInfo.unknown(job.id(), noticed.lastHeartbeat());
    return job.record().refuse(unknown, job.fs().now());
  }
}
