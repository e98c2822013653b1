// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.PathExistsException;

/**
 * Sets a job up: its destination is made where it is missing, the job registered there, its record
 * made. The registration comes first, so that no record is ever without one; and where it has gone
 * before the record was there, the record goes too. May be repeated.
 *
 * <p>Of the jobs on the same destination whose drivers seem dead, some are brought to their end: a
 * few of the others are looked after, other ones by each job, so that it takes no longer where many
 * were left over.
 *
 * <p>Cost: two writes and what {@code mkdirs} costs; one read, and one for each other job that is
 * looked after; one read more to fail on existing files. To fail beside a job that replaces the
 * same, one read for each 1,024 others, and one for each that is not decided.
 */
public final class SetupJobStage {

  private SetupJobStage() {}

  /**
   * @param info with what the job replaces, as far as that is known
   * @param conflict what to do about other jobs, as is {@code lease}
   * @param lease a job without a heartbeat for so long is taken for dead; none when zero
   * @throws PathExistsException when the destination holds anything that it must not
   * @throws JobEndedException when the job has ended before, or another has ended it meanwhile
   * @throws IOException when another job replaces the same, and that is to fail this one
   */
  public static void run(
      Job job, JobInfo info, RequireEmpty empty, OverwriteConflict conflict, Duration lease)
      throws IOException {
    if (empty == RequireEmpty.DESTINATION) {
      empty.check(job, List.of());
    }
    job.fs().namespace().mkdirs(job.destination(), job.fs().newDirectoryAttributes());
    job.fs().transactions().register(job.registration());
    createRecord(job, info);
    job.fs().heartbeats().begin(job.record());
    OtherJobs others =
        new OtherJobs(
            job,
            lease.isZero()
                ? OptionalLong.empty()
                : OptionalLong.of(job.fs().now() - lease.toMillis()));
    requireRegistered(job, others.look());
    others.recoverSome();
    Optional<JobInfo> other = conflict.find(info, others);
    if (other.isPresent()) {
      var unused = AbortJobStage.run(job);
      throw OverwriteConflict.failure(job, other.get());
    }
  }

  /**
   * A job that was taken for dead before its record was there has ended, and nothing may lead to
   * the record that was made since. So whoever makes one looks once more, and ends it.
   */
  private static void requireRegistered(Job job, Optional<Transactions.State> registered)
      throws IOException {
    if (registered.equals(Optional.of(Transactions.State.PENDING))) {
      return;
    }
    AbortJobStage.Outcome outcome = AbortJobStage.run(job);
    throw new JobEndedException(
        job
            + " is "
            + outcome
            + ": it was ended by another while it was set up, as by radosfs gc when its driver"
            + " did not go on. Nothing was changed; run it again");
  }

  /** Where the pool has no room for the record, the job is not registered either. */
  private static void createRecord(Job job, JobInfo info) throws IOException {
    try {
      job.record().create(info);
    } catch (StoreException e) {
      if (e.is(StoreException.Kind.NO_SPACE)) {
        try {
          FollowUp.evenIfInterrupted(
              () -> {
                var unused = job.fs().transactions().abort(job.registration());
                job.fs().transactions().forget(job.registration());
              });
        } catch (IOException more) {
          e.addSuppressed(more);
        }
      }
      throw e;
    }
  }

  /**
   * Sets a job up again, as after a restart of what drives it: one that has ended or is being
   * committed is left as it is, for its commit to be repeated.
   *
   * <p>Cost: one read where the job is there; else at most three more than to set it up.
   */
  public static void resume(Job job, JobInfo info) throws IOException {
    if (job.record().state().isPresent()) {
      job.fs().heartbeats().begin(job.record());
    } else if (ReportStage.find(job).isEmpty()) {
      run(job, info, RequireEmpty.NOTHING, OverwriteConflict.WAIT, Duration.ZERO);
    }
  }
}
