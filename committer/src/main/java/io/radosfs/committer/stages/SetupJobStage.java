// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets a job up: makes its destination if it is missing, registers the job there, makes its record.
 * If the destination is a file that the job replaces, the file stays until the commit, and the job
 * is registered in the directory above.
 *
 * <p>The registration comes first, so that every record has one. If it has gone before the record
 * was made, the record is removed too. May be repeated.
 *
 * <p>It also ends some jobs on the same destination whose drivers seem dead. Each set-up looks at a
 * few, and each at different ones, so that many leftovers do not delay it.
 *
 * <p>Cost: two writes and what {@code mkdirs} costs; two reads, and one for each other job looked
 * at; more if the destination has no index yet; one read more to fail on existing files. To fail
 * because another job replaces the same, one read for each 1,024 other jobs, and one for each
 * undecided one.
 */
public final class SetupJobStage {

  private static final Logger LOG = LoggerFactory.getLogger(SetupJobStage.class);

  private SetupJobStage() {}

  /**
   * @param info with what the job replaces, as far as that is known
   * @param conflict what to do if another job replaces the same
   * @param lease when other jobs are taken for dead
   * @throws PathExistsException if the destination must be empty and is not
   * @throws JobEndedException if the job has ended before, or another client has ended it meanwhile
   * @throws IOException if another job replaces the same, and {@code conflict} is FAIL
   */
  public static void run(
      Job job, JobInfo info, RequireEmpty empty, OverwriteConflict conflict, JobLease lease)
      throws IOException {
    if (empty == RequireEmpty.DESTINATION) {
      empty.check(job, List.of());
    }
    start(job, info, conflict, lease);
  }

  /** The file system is kept open first: where that fails, no job is left without heartbeats. */
  private static void start(Job job, JobInfo info, OverwriteConflict conflict, JobLease lease)
      throws IOException {
    Closeable open = job.fs().keepOpen();
    Placed placed;
    try {
      placed = register(job, info);
      createRecord(placed.job(), placed.info());
    } catch (IOException | RuntimeException | Error e) {
      try {
        open.close();
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
    Job registered = placed.job();
    registered.fs().heartbeats().begin(registered.record(), open);
    try {
      lookAround(registered, placed.info(), conflict, lease);
    } catch (IOException | RuntimeException | Error e) {
      if (!placed.info().mayBeRestarted()) {
        clearAway(e, () -> AbortJobStage.run(registered));
      }
      // Whatever is left of it, others end it, once it has no heartbeats.
      registered.fs().heartbeats().end(registered.record());
      throw e;
    }
  }

  /**
   * Ends a job that could not be set up. Spark does not, and nobody could move or replace its
   * destination until others take it for dead. MapReduce does; and another application master may
   * be at work on the job by now, which is not this one's to end. One that was found ended is
   * cleared away already.
   */
  private static void clearAway(Throwable failure, CallableRaisingIOE<?> end) {
    try {
      if (!Failures.hasWaitedInFull(failure) && !(failure instanceof JobEndedException)) {
        var unused = FollowUp.evenIfInterrupted(end);
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Sees to other jobs on the destination, once they can find this one. */
  private static void lookAround(Job job, JobInfo info, OverwriteConflict conflict, JobLease lease)
      throws IOException {
    OtherJobs others = new OtherJobs(job, info, lease.silence(job.fs().now()));
    requireRegistered(job, others.look());
    others.recoverSome();
    Optional<JobRecord.Head> other = conflict.find(info, others);
    if (other.isPresent()) {
      var unused = AbortJobStage.run(job);
      throw OverwriteConflict.failure(job, other.get());
    }
  }

  /**
   * Makes the destination if it is missing, and registers the job there. Again from the start if
   * another client has removed the directory in between, as a job does that has made it and is
   * aborted.
   */
  private static Placed register(Job job, JobInfo info) throws IOException {
    return job.fs()
        .retries()
        .run(
            "set-up of " + job,
            () -> {
              Placed placed = place(job, info);
              try {
                job.fs().transactions().register(placed.job().registration());
              } catch (FileNotFoundException | ParentNotDirectoryException e) {
                LOG.debug("others were at {} while {} was set up", job.destination(), job, e);
                return Optional.empty();
              } catch (TransactionAbortedException e) {
                LOG.info("{} is not registered any more", job, e);
                requireRegistered(placed.job(), Optional.empty());
              }
              return Optional.of(placed);
            });
  }

  /** A job with the directory to register it in, and what its record says of that. */
  private record Placed(Job job, JobInfo info) {}

  /**
   * Makes the destination if it is missing. If it is a file, which the job replaces, makes nothing:
   * the commit makes the directory, and the job is registered in the one above.
   *
   * @throws FileAlreadyExistsException if it is a file that the job does not replace
   */
  private static Placed place(Job job, JobInfo info) throws IOException {
    Optional<Uid> made;
    try {
      made =
          job.fs().namespace().makeDirectory(job.destination(), job.fs().newDirectoryAttributes());
    } catch (FileAlreadyExistsException e) {
      if (!replacesDestination(job, info)) {
        throw e;
      }
      FsPath above = job.destination().parent();
      return new Placed(job.in(above), info.registeredIn(above));
    }
    return new Placed(job, info.making(made));
  }

  private static boolean replacesDestination(Job job, JobInfo info) throws IOException {
    for (String replaced : info.replaces()) {
      if (job.destination().isAtOrBelow(FsPath.parse(replaced))) {
        return true;
      }
    }
    return false;
  }

  /**
   * If a job was taken for dead before its record was made, it has ended, and perhaps nothing leads
   * to the new record. It is not registered again: whoever has ended it may have more on its way.
   * So the registration is read again after that, and the job ended. A record that was made without
   * an answer, and is missing, may have been removed with the job: then the registration is read
   * before another try.
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
            + (outcome == AbortJobStage.Outcome.COMMITTED
                ? ": another driver of it has committed it while this one set it up, and this one has"
                    + " changed nothing. What the job wrote is visible. Do not run it again: its output"
                    + " would be there twice"
                : ": it was ended by another while it was set up, as by radosfs gc when its driver"
                    + " did not go on. Nothing was changed; run it again"));
  }

  /**
   * If the record cannot be made, as where the pool has no room, the registration is removed too,
   * unless another driver has made the record: the registration leads to it.
   */
  private static void createRecord(Job job, JobInfo info) throws IOException {
    try {
      job.record()
          .create(
              info,
              () -> requireRegistered(job, job.fs().transactions().state(job.registration())));
    } catch (IOException | RuntimeException | Error e) {
      boolean mayBeMade =
          e instanceof OutcomeUnknownException || e instanceof InterruptedIOException;
      if (mayBeMade && !info.mayBeRestarted()) {
        clearAway(e, () -> AbortJobStage.run(job));
      }
      clearAway(e, () -> removeUnrecorded(job));
      throw e;
    }
  }

  /**
   * Removes the registration of a job without a record. Four reads and three writes. A record that
   * another driver makes meanwhile keeps the registration: that driver finds it aborted, or
   * recovery does. One that it makes after the last look is found by the list that the job is in
   * then.
   */
  private static Void removeUnrecorded(Job job) throws IOException {
    if (job.record().state().isEmpty()
        && job.fs().transactions().abort(job.registration()) == Transactions.State.ABORTED
        && job.record().state().isEmpty()) {
      job.fs().transactions().forgetUnrecorded(job.registration(), Transactions.State.ABORTED);
    }
    return null;
  }

  /**
   * Goes on with a job after a restart of its driver. A job that is committed or being committed is
   * left as it is, so that its commit can be repeated.
   *
   * <p>A job without a record was never set up, or another client has ended it. One that is aborted
   * has a record while a task of it may write. Either is set up again, under an id that no other
   * client knows. Whoever was suspended in its commit or abort cannot tell a second registration or
   * record of one name from the first: their guards would hold, and they would make removed files
   * visible, or remove visible ones. What may be left of the earlier ones is aborted first, so that
   * no earlier driver goes on beside this one.
   *
   * <p>Cost: two reads and a write if the last driver's job has a record; up to seven more if it is
   * being committed. One more for each driver before it. If all have ended, also that of an abort
   * for each of them, and that of a set-up.
   *
   * @param own the job, by an id that only this driver uses
   * @param earlier the job by the ids of earlier drivers, the latest first
   * @param conflict as of {@link #run}, for a job that is set up again
   * @param lease likewise
   * @return what to go on with: the one of these that has a record and is not aborted, or is
   *     committed; or {@code own}
   */
  public static Job resume(
      Job own, List<Job> earlier, JobInfo info, OverwriteConflict conflict, JobLease lease)
      throws IOException {
    for (Job job : earlier) {
      if (state(job) != JobState.ABORTED && isResumed(job)) {
        return job;
      }
    }
    for (Job job : earlier) {
      if (AbortJobStage.run(job, JobWriters.MAY_LIVE) == AbortJobStage.Outcome.COMMITTED) {
        warnOfCommitted(job);
        return job;
      }
    }
    run(own, info, RequireEmpty.NOTHING, conflict, lease);
    return own;
  }

  /**
   * Goes on with a job, with a heartbeat at once: the last one of its driver before may be so long
   * ago that others are about to take it for dead.
   *
   * @return false if it was ended before that
   */
  private static boolean isResumed(Job job) throws IOException {
    job.fs().heartbeats().begin(job.record(), job.fs().keepOpen());
    boolean resumed = false;
    try {
      boolean unused = job.record().renew(job.fs().now());
      JobState state = state(job);
      if (state == JobState.COMMITTED) {
        warnOfCommitted(job);
      }
      resumed = state != JobState.ABORTED;
      return resumed;
    } finally {
      if (!resumed) {
        job.fs().heartbeats().end(job.record());
      }
    }
  }

  /** One without a record has ended. */
  private static JobState state(Job job) throws IOException {
    Optional<JobState> recorded = job.record().state();
    return recorded.isPresent() ? decided(job, recorded.get()) : JobState.ABORTED;
  }

  /**
   * The state of a job with a record, and how it is decided; a read if only its registration can
   * tell, and one more if its destination was removed since.
   */
  private static JobState decided(Job job, JobState recorded) throws IOException {
    if (recorded != JobState.COMMITTING) {
      return recorded;
    }
    Job registered = job.asRegistered();
    Optional<Transactions.State> decision =
        job.fs().transactions().state(registered.registration());
    boolean committed =
        decision.isPresent()
            ? decision.get() == Transactions.State.COMMITTED
            : EndedJob.wasCommittedWhenRemoved(registered);
    boolean aborted = decision.equals(Optional.of(Transactions.State.ABORTED));
    return committed ? JobState.COMMITTED : aborted ? JobState.ABORTED : recorded;
  }

  private static void warnOfCommitted(Job job) {
    LOG.warn(
        "{} is committed already. If its tasks run again, they fail, and the job is told as"
            + " failed: it is not, and must not be run once more",
        job);
  }
}
