// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.committer.manifest.SuccessReport.ListedFile;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.job.JobInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of one commit and their durations: for the report, of a failed commit too, and for the
 * log. It also tells the engine of progress. Not thread-safe.
 */
public final class StageLog {

  private static final Logger LOG = LoggerFactory.getLogger(StageLog.class);

  /** Work that is timed. */
  interface Timed<T> {
    T run() throws IOException;
  }

  private final Runnable progress;
  private final Map<String, List<Long>> nanos = new LinkedHashMap<>();
  private String stage = "begin";
  private Optional<JobInfo> info = Optional.empty();
  private Optional<Selected> selected = Optional.empty();

  /**
   * @param progress run now and then as the work goes on
   */
  public StageLog(Runnable progress) {
    this.progress = progress;
  }

  <T> T time(String name, Timed<T> timed) throws IOException {
    stage = name;
    long start = System.nanoTime();
    try {
      goesOn();
      return timed.run();
    } finally {
      nanos.computeIfAbsent(name, any -> new ArrayList<>()).add(System.nanoTime() - start);
      goesOn();
    }
  }

  /** Tells the engine that the work goes on. A failure of that does not fail the job. */
  void goesOn() {
    try {
      progress.run();
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      LOG.warn("the engine could not be told that the work goes on, in stage {}", stage, e);
    }
  }

  void concerns(JobInfo job) {
    info = Optional.of(job);
  }

  void commits(Selected files) {
    selected = Optional.of(files);
  }

  Optional<JobInfo> info() {
    return info;
  }

  Optional<Selected> selected() {
    return selected;
  }

  /** The stage that was begun last. */
  String stage() {
    return stage;
  }

  /** Milliseconds of each run of each stage, in the order in which stages first ran. */
  Map<String, List<Long>> millis() {
    Map<String, List<Long>> millis = new LinkedHashMap<>();
    nanos.forEach(
        (name, times) -> millis.put(name, times.stream().map(time -> time / 1_000_000).toList()));
    return millis;
  }

  /**
   * Every file that the job commits, by directory; empty if the commit has not come to know them.
   */
  public Optional<Collection<ListedFile>> files() {
    return selected.map(all -> new ListedFiles(all.files()));
  }

  /**
   * The report of a job that is committed though its commit has failed here: the one that it has
   * left in its destination, or one that tells no files. A few reads.
   */
  public SuccessReport foundCommitted(Job job) throws IOException {
    return ReportStage.foundCommitted(job, this);
  }

  /** The report of a commit that failed with this exception. */
  public SuccessReport failed(Job job, Exception failure) {
    return ReportStage.failed(job, this, failure);
  }

  /** For the log: what is committed, and how long it took. */
  @Override
  public String toString() {
    String what =
        selected
            .map(
                files ->
                    String.format(
                        "%d files, %d bytes, %d directories, %d tasks",
                        files.files().files(),
                        files.files().bytes(),
                        files.directories().size(),
                        files.attempts().size()))
            .orElse("files not known yet");
    return what
        + " ("
        + millis().entrySet().stream()
            .map(
                each ->
                    each.getKey()
                        + " "
                        + each.getValue().stream().mapToLong(Long::longValue).sum()
                        + " ms")
            .collect(Collectors.joining(", "))
        + ")";
  }
}
