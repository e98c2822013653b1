// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the report of a job, and reads it again. */
final class ReportStage {

  /** Maximum length of a report. A longer file, or one that claims to be, is not read. */
  private static final long LONGEST = 16 << 20;

  private ReportStage() {}

  /** Returns the report in the destination's {@code _SUCCESS}, if it is this job's. */
  static Optional<SuccessReport> find(Job job) throws IOException {
    return job.fs().retries().run("reading of the report of " + job, () -> tryToFind(job));
  }

  /** Empty if the file was removed or replaced while it was read; the caller retries. */
  private static Optional<Optional<SuccessReport>> tryToFind(Job job) throws IOException {
    FsPath path = job.destination().child(JobPlan.SUCCESS_NAME);
    Optional<Entry> success = job.fs().namespace().lookup(path);
    if (success.isEmpty() || !(success.get() instanceof Entry.OfFile file)) {
      return Optional.of(Optional.empty());
    }
    if (file.data().length() > LONGEST) {
      return Optional.of(Optional.empty());
    }
    byte[] content;
    try {
      content = job.fs().objects().read(file.data());
    } catch (StoreException e) {
      if (e.is(StoreException.Kind.NOT_FOUND)
          && !job.fs().namespace().lookup(path).equals(success)) {
        return Optional.empty();
      }
      throw e;
    }
    return Optional.of(
        SuccessReport.decode(content)
            .filter(
                report ->
                    job.record().name().equals(report.diagnostics().get(SuccessReport.RECORD))));
  }

  /** The report of a job that is being committed, or is committed. */
  static SuccessReport run(Job job, StageLog log) {
    JobInfo info = log.info().orElseThrow();
    return report(
        job,
        log,
        info,
        true,
        info.engine() + " job, committed by one transaction; no data was moved",
        new TreeMap<>());
  }

  /** The report that a committed job has left, or one that tells no files. A few reads. */
  static SuccessReport foundCommitted(Job job, StageLog log) throws IOException {
    Optional<SuccessReport> left = find(job);
    return left.isPresent()
        ? left.get()
        : report(
            job,
            log,
            infoOrUnknown(job, log),
            true,
            "committed by one transaction, as was found out after the commit had failed",
            new TreeMap<>());
  }

  private static JobInfo infoOrUnknown(Job job, StageLog log) {
    return log.info().orElseGet(() -> JobInfo.unknown(job.id(), 0));
  }

  /** The report of a job that was not committed, or perhaps not. */
  static SuccessReport failed(Job job, StageLog log, Exception failure) {
    JobInfo info = infoOrUnknown(job, log);
    SortedMap<String, String> diagnostics = new TreeMap<>();
    diagnostics.put("exception", failure.toString());
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    diagnostics.put("stacktrace", trace.toString());
    return report(job, log, info, false, "failed: " + failure.getMessage(), diagnostics);
  }

  private static SuccessReport report(
      Job job,
      StageLog log,
      JobInfo info,
      boolean success,
      String description,
      SortedMap<String, String> diagnostics) {
    long now = job.fs().now();
    SortedMap<String, Long> counters = new TreeMap<>();
    log.selected()
        .ifPresent(
            selected -> {
              counters.put(SuccessReport.FILES, (long) selected.files().files());
              counters.put(SuccessReport.BYTES, selected.files().bytes());
              counters.put("committer_directories", (long) selected.directories().size());
              counters.put("committer_tasks_completed", (long) selected.attempts().size());
            });
    SortedMap<String, Long> metrics = new TreeMap<>(counters);
    SuccessReport.Statistics statistics = SuccessReport.Statistics.ofCounters(counters);
    for (Map.Entry<String, List<Long>> stage : log.millis().entrySet()) {
      String name = "job_stage_" + stage.getKey();
      metrics.put(name + "_ms", stage.getValue().stream().mapToLong(Long::longValue).sum());
      statistics.addDurations(name, stage.getValue());
    }
    if (info.started() > 0) {
      metrics.put("job_elapsed_ms", Math.max(0, now - info.started()));
    }
    diagnostics.put(SuccessReport.RECORD, job.record().name());
    diagnostics.put("radosfs.engine", info.engine());
    diagnostics.put("radosfs.owner", info.owner());
    return new SuccessReport(
        SuccessReport.NAME,
        success,
        now,
        Instant.ofEpochMilli(now).toString(),
        hostname(),
        SuccessReport.COMMITTER,
        description,
        info.sourceId(),
        info.source(),
        success ? "SUCCEEDED" : "FAILED",
        success ? "committer_commit_job" : "committer_commit_job: " + log.stage(),
        metrics,
        diagnostics,
        log
            .selected()
            .map(selected -> selected.files().firstPaths(SuccessReport.MAX_FILENAMES))
            .orElse(List.of())
            .stream()
            .map(FsPath::toString)
            .toList(),
        statistics,
        null);
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
