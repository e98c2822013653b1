// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobUpkeep.Outcome;
import io.radosfs.connector.job.JobUpkeep.Recovered;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Transactions.Neighbours;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other jobs that are registered beside one that is being set up. */
final class OtherJobs {

  private static final Logger LOG = LoggerFactory.getLogger(OtherJobs.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  /**
   * Maximum number of other jobs that one set-up recovers, so that many leftovers do not delay it.
   */
  private static final int LOOKED_AFTER = 8;

  private final Job job;
  private final JobInfo info;
  private final Optional<Silence> silence;
  private Map<Registration, State> some = Map.of();

  /**
   * @param info of the job that is set up
   * @param silence since when a job must have been silent to be ended; empty if none is taken for
   *     dead
   */
  OtherJobs(Job job, JobInfo info, Optional<Silence> silence) {
    this.job = job;
    this.info = info;
    this.silence = silence;
  }

  /** Reads this job's registration and, if others are to be recovered, some of theirs. One read. */
  Optional<State> look() throws IOException {
    if (silence.isEmpty()) {
      return job.fs().transactions().state(job.registration());
    }
    Neighbours neighbours = job.fs().transactions().neighbours(job.registration());
    some = neighbours.others();
    return neighbours.own();
  }

  /**
   * Ends some of the jobs that {@link #look} has found and that have no driver. A failure is
   * logged, and does not fail this job. Once RADOS does not answer in all its time, the others are
   * left alone.
   *
   * <p>They are drawn at random by this job's id, so each new job draws others. They come from a
   * page of the first jobs, which are the oldest if ids grow, and a page of those after this one.
   * So each job is reached in time, even beside others that are alive, or cannot be ended.
   *
   * <p>Cost: one read for each, at most {@value #LOOKED_AFTER}, and what it takes to end a job.
   */
  void recoverSome() throws IOException {
    List<Map.Entry<Registration, State>> drawn = new ArrayList<>(some.entrySet());
    Collections.shuffle(drawn, new Random(job.id().hashCode()));
    for (Map.Entry<Registration, State> other :
        drawn.subList(0, Math.min(LOOKED_AFTER, drawn.size()))) {
      Job found = of(other.getKey());
      FirstFailure failure = new FirstFailure();
      FOLLOW_UP.quietly(
          job + " found " + found + ", and did not see to it that it ends if it has no driver",
          "other jobs there do, or radosfs jobs recover",
          () -> {
            failure.attempt(
                () -> {
                  Optional<JobRecord.Head> head = found.record().head();
                  if (!isBroughtToItsEnd(found, head, other.getValue())) {
                    warnIfInTheWay(head, other.getValue());
                  }
                });
            failure.rethrow();
          });
      if (failure.isEnd()) {
        return;
      }
    }
  }

  private Job of(Registration other) {
    FsPath destination =
        ObjectNames.isJob(other.owner())
            ? ObjectNames.destinationOf(other.owner())
            : other.coordinator();
    return Job.of(job.fs(), destination, other.id()).in(other.coordinator());
  }

  /**
   * Tells of a job that replaces the same, and whose driver may be dead. This job would learn of it
   * at its very end, after all its tasks. The clocks of two machines are compared, for the warning
   * alone.
   */
  private void warnIfInTheWay(Optional<JobRecord.Head> found, State decision) throws IOException {
    Optional<JobInfo> other = found.flatMap(JobRecord.Head::info);
    if (decision != State.PENDING
        || other.isEmpty()
        || !OverwriteConflict.overlap(info.replaces(), other.get().replaces())) {
      return;
    }
    Duration silent = Duration.ofMillis(job.fs().now() - found.get().lastHeartbeat());
    if (silent.compareTo(JobHeartbeats.PERIOD.multipliedBy(2)) > 0) {
      LOG.warn(
          "{} replaces what {} is replacing, whose last heartbeat was {} minutes ago, at {}, by the"
              + " clocks of two machines; a driver sends one every {} minutes. If that job's driver"
              + " died in its commit, the commit of this one waits for it, and then fails. {}",
          job,
          OverwriteConflict.described(other.get()),
          silent.toMinutes(),
          Instant.ofEpochMilli(found.get().lastHeartbeat()),
          JobHeartbeats.PERIOD.toMinutes(),
          OverwriteConflict.remedy(other.get()));
    }
  }

  private boolean isBroughtToItsEnd(Job other, Optional<JobRecord.Head> head, State decision)
      throws IOException {
    Recovered recovered = RecoverJobStage.unlessEnded(other, head, decision, silence.orElseThrow());
    boolean ended =
        recovered.outcome() == Outcome.ABORTED || recovered.outcome() == Outcome.COMMITTED;
    if (ended) {
      LOG.info("{} found {} without a driver: it is {}", job, other, recovered);
    }
    return ended;
  }

  /**
   * Finds a job that may still commit and meets the condition. One without a driver is ended
   * instead. Returns the head of its record. One read for each 1,024 registered jobs, and one for
   * each undecided one.
   *
   * @throws IOException also if a registration cannot be read: it may be that of such a job
   */
  Optional<JobRecord.Head> find(Condition condition) throws IOException {
    for (Map.Entry<Registration, State> other :
        job.fs().transactions().registered(job.coordinator(), Failures.END).entrySet()) {
      if (other.getValue() != State.PENDING || other.getKey().equals(job.registration())) {
        continue;
      }
      Job pending = of(other.getKey());
      Optional<JobRecord.Head> head = pending.record().head();
      Optional<JobInfo> found = head.flatMap(JobRecord.Head::info);
      if (found.isPresent()
          && condition.holds(found.get())
          && !(silence.isPresent() && isBroughtToItsEnd(pending, head, other.getValue()))) {
        return head;
      }
    }
    return Optional.empty();
  }

  /** A condition on a job. */
  interface Condition {
    boolean holds(JobInfo info) throws IOException;
  }
}
