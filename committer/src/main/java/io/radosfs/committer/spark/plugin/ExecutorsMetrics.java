// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.connector.metrics.Metric;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * On the driver: the numbers of all executors together, as they last told them. What executors have
 * counted that are gone stays; what concerns the present goes with an executor that has ended, that
 * Spark has removed, or that has not told anything for so long that it must have ended.
 *
 * <p>An application may have any number of executors, one after another. So those that are gone
 * become one sum. The last {@value #MOST_GONE} of them are kept apart, as a report may come late:
 * it then counts only as far as it goes beyond those before. One that comes later still is dropped,
 * as long as the executor is remembered at all: the sum cannot tell what it has of it. A silent
 * executor may tell something again, so it is gone only when Spark says so.
 *
 * <p>Thread-safe.
 */
final class ExecutorsMetrics {

  /** How many executors that are gone are known by their names. */
  static final int MOST_GONE = 100;

  /** How many of those before them are known to have gone. */
  private static final int MOST_FORGOTTEN = 10_000;

  private record Latest(Map<String, Long> values, long at) {}

  private final long silence;
  private final LongSupplier nanoTime;
  private final Map<String, Latest> here = new HashMap<>();

  /** In the order in which they went. */
  private final Map<String, Map<String, Long>> gone = new LinkedHashMap<>();

  private final Map<String, Long> goneBefore = new HashMap<>();

  /** Those of which the numbers are in that sum. */
  private final Set<String> forgotten = new LinkedHashSet<>();

  /**
   * @param interval how often executors tell their numbers
   */
  ExecutorsMetrics(Duration interval, LongSupplier nanoTime) {
    this.silence = interval.multipliedBy(3).toNanos();
    this.nanoTime = nanoTime;
  }

  synchronized void take(MetricsReport report) {
    if (forgotten.contains(report.executor())) {
      return;
    }
    if (report.isLast() || gone.containsKey(report.executor())) {
      goes(report.executor(), report.values());
    } else {
      here.put(report.executor(), new Latest(report.values(), nanoTime.getAsLong()));
    }
  }

  /** Spark has removed an executor, whether or not it has told anything. */
  synchronized void remove(String executor) {
    if (!forgotten.contains(executor)) {
      goes(executor, Map.of());
    }
  }

  private void goes(String executor, Map<String, Long> values) {
    Map<String, Long> all = gone.computeIfAbsent(executor, any -> new HashMap<>());
    Latest latest = here.remove(executor);
    if (latest != null) {
      latest.values().forEach((name, value) -> all.merge(name, value, Math::max));
    }
    values.forEach((name, value) -> all.merge(name, value, Math::max));
    if (gone.size() > MOST_GONE) {
      String eldest = gone.keySet().iterator().next();
      forgotten.add(eldest);
      if (forgotten.size() > MOST_FORGOTTEN) {
        forgotten.remove(forgotten.iterator().next());
      }
      gone.remove(eldest).forEach((name, value) -> goneBefore.merge(name, value, Long::sum));
    }
  }

  /** How many executors' numbers are kept apart. */
  synchronized int held() {
    return here.size() + gone.size();
  }

  /** The sum, or the largest, as the metric's type says. */
  synchronized long value(Metric metric) {
    String name = metric.name();
    if (metric.type() == Metric.Type.COUNTER) {
      long counted = goneBefore.getOrDefault(name, 0L);
      for (Map<String, Long> values : gone.values()) {
        counted += values.getOrDefault(name, 0L);
      }
      for (Latest latest : here.values()) {
        counted += latest.values().getOrDefault(name, 0L);
      }
      return counted;
    }
    long now = nanoTime.getAsLong();
    long together = 0;
    for (Latest latest : here.values()) {
      if (now - latest.at() <= silence) {
        long value = latest.values().getOrDefault(name, 0L);
        together = metric.type() == Metric.Type.PEAK ? Math.max(together, value) : together + value;
      }
    }
    return together;
  }
}
