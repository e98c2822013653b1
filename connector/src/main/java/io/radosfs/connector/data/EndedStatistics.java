// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.MeanStatistic;

/**
 * The statistics of a stream that has ended; they do not change any more. Two places add them to
 * theirs. Hadoop's live statistics would be evaluated for each of the two, by tasks of the JVM's
 * common pool, which wakes its threads for every small file.
 */
record EndedStatistics(
    Map<String, Long> counters,
    Map<String, Long> gauges,
    Map<String, Long> minimums,
    Map<String, Long> maximums,
    Map<String, MeanStatistic> meanStatistics)
    implements IOStatistics {

  /** Of a stream that has only counters. */
  static EndedStatistics ofCounters(Map<String, Long> counters) {
    return new EndedStatistics(counters, Map.of(), Map.of(), Map.of(), Map.of());
  }

  /** What live statistics are now, each evaluated once, in this thread. */
  static EndedStatistics of(IOStatistics live) {
    return new EndedStatistics(
        evaluated(live.counters()),
        evaluated(live.gauges()),
        evaluated(live.minimums()),
        evaluated(live.maximums()),
        evaluated(live.meanStatistics()));
  }

  /** Not by its entries, which other threads would evaluate too. */
  private static <T> Map<String, T> evaluated(Map<String, T> live) {
    Map<String, T> values = new HashMap<>();
    for (String name : live.keySet()) {
      values.put(name, live.get(name));
    }
    return values;
  }
}
