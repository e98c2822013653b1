// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.JobUpkeep.Outcome;
import io.radosfs.connector.job.JobUpkeep.Recovered;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;

/**
 * Ends a job whose driver seems dead: finishes it if its commit is decided, else aborts it. Both
 * begin with a fence: a driver or task that is alive after all can add nothing, and gets an error.
 * Once any read of this call has shown that the job is committed, it is told as committed, even if
 * another client removes all that shows it meanwhile.
 *
 * <p>If a process of the job may still write, the record stays until the job has been ended for as
 * long as a dead one has no heartbeat. A second call after that removes late writes, and the record
 * unless it finds any: then the wait begins anew.
 *
 * <p>Cost: one read if the job is alive; else that of {@link AbortJobStage}, and two reads.
 */
public final class RecoverJobStage {

  private RecoverJobStage() {}

  /**
   * @param stateWhenFound how the job was decided when it was found; counts if its destination is
   *     gone, or if it is committed
   * @param silence only if it has been silent for so long
   */
  public static Recovered run(Job job, Transactions.State stateWhenFound, Silence silence)
      throws IOException {
    return run(job, job.record().head(), stateWhenFound, silence);
  }

  /**
   * The same, but leaves a job alone that was ended already, and whose processes may still write.
   * The wait for them begins anew with each call of {@link #run}, so that it would never be over
   * where one follows the other soon.
   *
   * @param head of the job's record, as just read
   */
  static Recovered unlessEnded(
      Job job, Optional<JobRecord.Head> head, Transactions.State stateWhenFound, Silence silence)
      throws IOException {
    Optional<JobState> ended =
        head.filter(h -> h.isDecided() && h.lastHeartbeat() > silence.end())
            .flatMap(JobRecord.Head::state);
    return ended.isPresent()
        ? new Recovered(
            ended.get() == JobState.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED, true)
        : run(job, head, stateWhenFound, silence);
  }

  private static Recovered run(
      Job job, Optional<JobRecord.Head> head, Transactions.State stateWhenFound, Silence silence)
      throws IOException {
    return head.isPresent()
        ? withRecord(job, head.get(), stateWhenFound, silence)
        : withoutRecord(job, stateWhenFound, silence);
  }

  private static Recovered withRecord(
      Job job, JobRecord.Head head, Transactions.State stateWhenFound, Silence silence)
      throws IOException {
    Optional<JobInfo> info = head.info();
    return run(info.isPresent() ? job.as(info.get()) : job, head, stateWhenFound, silence);
  }

  private static Recovered run(
      Job job, JobRecord.Head head, Transactions.State stateWhenFound, Silence silence)
      throws IOException {
    if (head.lastHeartbeat() > silence.lastHeartbeat()) {
      return new Recovered(Outcome.ALIVE, true, head.lastHeartbeat());
    }
    if (head.state().isEmpty() && !refuse(job, head)) {
      return new Recovered(Outcome.ALIVE, true);
    }
    Optional<Transactions.State> registered = job.fs().transactions().state(job.registration());
    boolean noticedAlone = head.state().isEmpty();
    if (registered.isEmpty() && stateWhenFound == Transactions.State.COMMITTED && !noticedAlone) {
      // The destination was removed after the commit: its files may have other paths by now.
      boolean unused = job.record().setDecided(JobState.COMMITTED, job.fs().now());
    }
    boolean committed =
        stateWhenFound == Transactions.State.COMMITTED
            || head.state().equals(Optional.of(JobState.COMMITTED))
            || registered.equals(Optional.of(Transactions.State.COMMITTED));
    boolean ended = head.isDecided() && head.lastHeartbeat() <= silence.end();
    committed |=
        isEndedAsCommitted(job, ended ? JobWriters.gone(Optional.of(head)) : JobWriters.MAY_LIVE);
    Optional<JobRecord.Head> rest = job.record().head();
    if (rest.isPresent() && rest.get().lastHeartbeat() <= silence.end()) {
      committed |= isEndedAsCommitted(job, JobWriters.gone(rest));
      rest = job.record().head();
    }
    return new Recovered(committed ? Outcome.COMMITTED : Outcome.ABORTED, rest.isPresent());
  }

  private static boolean isEndedAsCommitted(Job job, JobWriters writers) throws IOException {
    return AbortJobStage.run(job, writers) == AbortJobStage.Outcome.COMMITTED;
  }

  /** The job is being set up, or only its registration is left. */
  private static Recovered withoutRecord(
      Job job, Transactions.State stateWhenFound, Silence silence) throws IOException {
    Optional<Transactions.State> registered = job.fs().transactions().state(job.registration());
    if (registered.isEmpty()) {
      return new Recovered(Outcome.GONE, false);
    }
    if (registered.get() != Transactions.State.COMMITTED) {
      // An abort proves nothing either: it may have come before the record.
      return new Recovered(Outcome.UNRECORDED, true);
    }
    // Set up and committed since the look for its record, it has one, and may not be resolved yet.
    Optional<JobRecord.Head> since = job.record().head();
    if (since.isPresent()) {
      return withRecord(job, since.get(), stateWhenFound, silence);
    }
    CleanUpStage.forgotten(job, registered, JobWriters.gone(Optional.empty()));
    if (job.record().head().isEmpty()) {
      return new Recovered(Outcome.COMMITTED, false);
    }
    // A second driver of its id has made one just now. The job is not listed before, or something
    // would be left of each one whose driver died before its last step.
    CleanUpStage.forgotten(job, registered, JobWriters.MAY_LIVE);
    return new Recovered(Outcome.COMMITTED, true);
  }

  /** Keeps a job that was only noticed from being set up; false if it was set up meanwhile. */
  private static boolean refuse(Job job, JobRecord.Head noticed) throws IOException {
    JobInfo unknown =
        JobInfo.unknown(job.id(), noticed.lastHeartbeat()).registeredIn(job.coordinator());
    return job.record().notice().refuse(unknown, job.fs().now());
  }
}
