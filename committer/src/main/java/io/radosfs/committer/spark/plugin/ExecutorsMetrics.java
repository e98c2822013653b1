// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.connector.metrics.Metric;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * On the driver: the numbers of all executors together, as they last told them. What executors have
 * counted that are gone stays; what concerns the present goes with an executor that has ended, or
 * has not told anything for so long that it must have. Thread-safe.
 */
final class ExecutorsMetrics {

  private record Latest(MetricsReport report, long at) {}

  private final long silence;
  private final LongSupplier nanoTime;
  private final Map<String, Latest> byExecutor = new HashMap<>();

  /**
   * @param interval how often executors tell their numbers
   */
  ExecutorsMetrics(Duration interval, LongSupplier nanoTime) {
    this.silence = interval.multipliedBy(3).toNanos();
    this.nanoTime = nanoTime;
  }

  synchronized void take(MetricsReport report) {
    byExecutor.put(report.executor(), new Latest(report, nanoTime.getAsLong()));
  }

  /** The sum, or the largest, as the metric's type says. */
  synchronized long value(Metric metric) {
    long now = nanoTime.getAsLong();
    long together = 0;
    for (Latest latest : byExecutor.values()) {
      boolean isHere = !latest.report().isLast() && now - latest.at() <= silence;
      if (isHere || metric.type() == Metric.Type.COUNTER) {
        long value = latest.report().values().getOrDefault(metric.name(), 0L);
        together = metric.type() == Metric.Type.PEAK ? Math.max(together, value) : together + value;
      }
    }
    return together;
  }
}
