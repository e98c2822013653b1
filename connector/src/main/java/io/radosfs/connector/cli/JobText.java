// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.upkeep.FutureHeartbeat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Jobs as text, for operators and for scripts. */
final class JobText {

  /** The field with the size of a job's files. */
  static final String BYTES = "bytes";

  private final long now;

  /**
   * @param now milliseconds since the epoch
   */
  JobText(long now) {
    this.now = now;
  }

  /** One word: the decision if there is one, else the state in the record. */
  static String state(JobDescription job) {
    if (job.job().decision() != Transactions.State.PENDING) {
      return job.job().decision().toString();
    }
    return job.state().map(Object::toString).orElse("SETUP");
  }

  static String owner(JobDescription job) {
    return job.info().map(JobText::owner).orElse("unknown");
  }

  private static String owner(JobInfo info) {
    return info.owner() + (info.pid() == 0 ? "" : " pid " + info.pid());
  }

  static String started(JobDescription job) {
    return job.info().map(info -> time(info.started())).orElse("-");
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** How long ago something was, or how far in the future it is. */
  String ago(long millis) {
    return FutureHeartbeat.of(millis, now)
        .map(future -> future.distance() + " ahead")
        .orElseGet(() -> millis == 0 ? "never" : age(millis) + " ago");
  }

  /** How much time has passed since. */
  String age(long millis) {
    Duration age = Duration.ofMillis(Math.max(0, now - millis));
    if (age.toMinutes() < 2) {
      return age.toSeconds() + " s";
    }
    return age.toHours() < 2 ? age.toMinutes() + " min" : age.toHours() + " h";
  }

  /** A summary of the job. */
  static Fields brief(JobDescription job) {
    return brief(job, new Fields());
  }

  /** The same, after other fields. */
  static Fields brief(JobDescription job, Fields before) {
    Fields fields =
        before
            .with("id", job.job().id())
            .with("destination", job.job().destination().toString())
            .with("state", state(job))
            .with("step", job.step())
            .with("record", job.job().record());
    job.info()
        .ifPresent(
            info ->
                fields
                    .with("engine", info.engine())
                    .with("engineJobId", info.sourceId())
                    .with("owner", info.owner())
                    .with("pid", info.pid())
                    .with("started", time(info.started()))
                    .with("replaces", info.replaces()));
    if (job.lastHeartbeat() != 0) {
      fields.with("heard", time(job.lastHeartbeat()));
    }
    return fields
        .with("tasksCommitted", job.committed())
        .with("files", job.files())
        .with(BYTES, job.bytes());
  }

  /** The summary with attempts and plan. */
  static Fields full(JobDescription job) {
    Fields fields =
        brief(job).withEach("attempts", job.attempts().stream().map(JobText::of).toList());
    job.plan().ifPresent(plan -> fields.withAll("plan", of(plan)));
    return fields;
  }

  private static Fields of(JobDescription.Attempt attempt) {
    return new Fields()
        .with("task", attempt.task())
        .with("attempt", attempt.attempt())
        .with("status", attempt.status().toString())
        .with("files", attempt.files())
        .with(BYTES, attempt.bytes())
        .with("open", attempt.open());
  }

  private static Fields of(JobDescription.Plan plan) {
    return new Fields()
        .with("attempts", plan.attempts())
        .with("directories", plan.directories())
        .with("replaces", plan.replaced())
        .with("replacesWrittenPartitions", plan.partitions());
  }
}
