package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the report of a job, and finds it again. */
final class ReportStage {

  private ReportStage() {}

  /** The report of this very job, if it is what the destination's {@code _SUCCESS} holds. */
  static Optional<SuccessReport> find(Job job) throws IOException {
    Optional<Entry> success =
        job.fs().namespace().lookup(job.destination().child(JobPlan.SUCCESS_NAME));
    if (success.isPresent() && success.get() instanceof Entry.OfFile file) {
      return SuccessReport.decode(job.fs().objects().read(file.data()))
          .filter(
              report -> job.record().name().equals(report.diagnostics().get(SuccessReport.RECORD)));
    }
    return Optional.empty();
  }

  static SuccessReport run(
      Job job, JobInfo info, Selected selected, Map<String, Long> millis, long now) {
    SortedMap<String, Long> counters = new TreeMap<>();
    counters.put("committer_files_committed", (long) selected.files());
    counters.put("committer_bytes_committed", selected.bytes());
    counters.put("committer_directories", (long) selected.directories().size());
    counters.put("committer_tasks_completed", (long) selected.attempts().size());
    SortedMap<String, Long> metrics = new TreeMap<>(counters);
    millis.forEach((stage, time) -> metrics.put("job_stage_" + stage + "_ms", time));
    metrics.put("job_elapsed_ms", Math.max(0, now - info.started()));
    SortedMap<String, String> diagnostics = new TreeMap<>();
    diagnostics.put(SuccessReport.RECORD, job.record().name());
    diagnostics.put("radosfs.engine", info.engine());
    diagnostics.put("radosfs.owner", info.owner());
    return new SuccessReport(
        SuccessReport.NAME,
        true,
        now,
        Instant.ofEpochMilli(now).toString(),
        hostname(),
        SuccessReport.COMMITTER,
        info.engine() + " job, committed by one transaction; no data was moved",
        info.sourceId(),
        info.source(),
        "SUCCEEDED",
        "committer_commit_job",
        metrics,
        diagnostics,
        filenames(selected),
        SuccessReport.Statistics.ofCounters(counters));
  }

  private static List<String> filenames(Selected selected) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<FsPath, SortedMap<String, Entry>> directory :
        selected.directories().entrySet()) {
      for (String name : directory.getValue().keySet()) {
        if (names.size() == SuccessReport.MAX_FILENAMES) {
          return names;
        }
        names.add((directory.getKey().isRoot() ? "" : directory.getKey().toString()) + "/" + name);
      }
    }
    return names;
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
