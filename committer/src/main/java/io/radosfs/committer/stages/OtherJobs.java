package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobUpkeep.Outcome;
import io.radosfs.connector.job.JobUpkeep.Recovered;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other jobs on the destination of one that is being set up. Not thread-safe. */
final class OtherJobs {

  private static final Logger LOG = LoggerFactory.getLogger(OtherJobs.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Job job;
  private final Map<Job, State> others;

  private OtherJobs(Job job, Map<Job, State> others) {
    this.job = job;
    this.others = others;
  }

  /** Those that are registered now. One read for each 1,024. */
  static OtherJobs of(Job job) throws IOException {
    Map<Job, State> others = new LinkedHashMap<>();
    for (Map.Entry<Registration, State> registered :
        job.fs().transactions().registered(job.destination()).entrySet()) {
      if (!registered.getKey().id().equals(job.id())) {
        others.put(
            Job.of(job.fs(), job.destination(), registered.getKey().id()), registered.getValue());
      }
    }
    return new OtherJobs(job, others);
  }

  /**
   * Brings those to their end that were last heard of then or earlier. A failure is logged: it is
   * no business of this job's.
   *
   * @param before milliseconds since the epoch
   */
  void recoverDead(long before) {
    for (Map.Entry<Job, State> other : Map.copyOf(others).entrySet()) {
      FOLLOW_UP.quietly(
          job + " found " + other.getKey() + " without a driver, and did not finish it",
          "the next job there does, or radosfs jobs recover",
          () -> recover(other.getKey(), other.getValue(), before));
    }
  }

  private void recover(Job other, State state, long before) throws IOException {
    Recovered recovered = RecoverJobStage.run(other, state, before);
    if (recovered.outcome() == Outcome.ABORTED || recovered.outcome() == Outcome.COMMITTED) {
      LOG.info("{} found {} without a driver: it is {}", job, other, recovered);
      others.remove(other);
    }
  }

  /** What is said of those that may still commit and for which this holds. One read for each. */
  Optional<JobInfo> find(Condition condition) throws IOException {
    for (Map.Entry<Job, State> other : others.entrySet()) {
      if (other.getValue() == State.PENDING) {
        JobRecord record = other.getKey().record();
        Optional<JobInfo> info = record.info();
        if (info.isPresent() && condition.holds(info.get())) {
          return info;
        }
      }
    }
    return Optional.empty();
  }

  /** Something that holds for a job or not. */
  interface Condition {
    boolean holds(JobInfo info) throws IOException;
  }
}
