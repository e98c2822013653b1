// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What committers of this process have done. Thread-safe. */
public final class JobCounts {

  private final LongAdder committed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder tasks = new LongAdder();
  private volatile long lastNanos;

  /**
   * A job's commit has succeeded.
   *
   * @param ofFiles the files that became visible
   * @param ofBytes their bytes
   * @param took nanoseconds of the commit
   */
  public void committed(long ofFiles, long ofBytes, long took) {
    committed.increment();
    files.add(ofFiles);
    bytes.add(ofBytes);
    nanos.add(took);
    lastNanos = took;
  }

  /** A job's commit has failed here. */
  public void failed() {
    failed.increment();
  }

  /** A job was aborted here. */
  public void aborted() {
    aborted.increment();
  }

  /** A task attempt has committed what it wrote. */
  public void taskCommitted() {
    tasks.increment();
  }

  List<SampledMetric> sources() {
    return List.of(
        SampledMetric.counter(
            "rados_jobs_committed", "commits of jobs that succeeded", committed::sum),
        SampledMetric.counter("rados_jobs_failed", "commits of jobs that failed", failed::sum),
        SampledMetric.counter("rados_jobs_aborted", "jobs aborted", aborted::sum),
        SampledMetric.counter(
            "rados_jobs_files", "files that these commits made visible", files::sum),
        SampledMetric.counter(
            "rados_jobs_bytes", Metric.Unit.BYTES, "the length of those files", bytes::sum),
        SampledMetric.counter(
            "rados_jobs_commit_millis",
            Metric.Unit.MILLISECONDS,
            "the time that these commits took, together",
            () -> TimeUnit.NANOSECONDS.toMillis(nanos.sum())),
        SampledMetric.peak(
            "rados_jobs_last_commit_millis",
            Metric.Unit.MILLISECONDS,
            "the time that the last of these commits took",
            () -> TimeUnit.NANOSECONDS.toMillis(lastNanos)),
        SampledMetric.counter(
            "rados_tasks_committed", "task attempts that committed what they wrote", tasks::sum));
  }
}
