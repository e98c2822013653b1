// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs as text, for operators and for scripts. */
final class JobText {

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

  /** How long ago something was. */
  String ago(long millis) {
    if (millis == 0) {
      return "never";
    }
    Duration age = Duration.ofMillis(Math.max(0, now - millis));
    if (age.toMinutes() < 2) {
      return age.toSeconds() + " s ago";
    }
    return age.toHours() < 2 ? age.toMinutes() + " min ago" : age.toHours() + " h ago";
  }

  /** A summary of the job. */
  static Map<String, Object> brief(JobDescription job) {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("id", job.job().id());
    text.put("destination", job.job().destination().toString());
    text.put("state", state(job));
    text.put("step", job.step());
    text.put("record", job.job().record());
    job.info()
        .ifPresent(
            info -> {
              text.put("engine", info.engine());
              text.put("engineJobId", info.sourceId());
              text.put("owner", info.owner());
              text.put("pid", info.pid());
              text.put("started", time(info.started()));
              text.put("replaces", info.replaces());
            });
    if (job.lastHeartbeat() != 0) {
      text.put("heard", time(job.lastHeartbeat()));
    }
    text.put("tasksCommitted", job.committed());
    text.put("files", job.files());
    text.put("bytes", job.bytes());
    return text;
  }

  /** The summary with attempts and plan. */
  static Map<String, Object> full(JobDescription job) {
    Map<String, Object> text = brief(job);
    List<Map<String, Object>> attempts = new ArrayList<>();
    for (JobDescription.Attempt attempt : job.attempts()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("task", attempt.task());
      one.put("attempt", attempt.attempt());
      one.put("status", attempt.status().toString());
      one.put("files", attempt.files());
      one.put("bytes", attempt.bytes());
      one.put("open", attempt.open());
      attempts.add(one);
    }
    text.put("attempts", attempts);
    job.plan()
        .ifPresent(
            plan -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("attempts", plan.attempts());
              one.put("directories", plan.directories());
              one.put("replaces", plan.replaced());
              one.put("replacesWrittenPartitions", plan.partitions());
              text.put("plan", one);
            });
    return text;
  }

  static String json(Object value) throws JsonProcessingException {
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
