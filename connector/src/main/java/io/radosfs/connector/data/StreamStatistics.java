// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** Gathers the statistics of many streams. */
public final class StreamStatistics {

  private StreamStatistics() {}

  /**
   * Returns a store for what streams report when they are closed ({@link
   * StreamSettings#statistics}), and for other counters. It leaves out gauges, which concern one
   * stream, and minimums, for which Hadoop 3.4 keeps the latest value instead of the smallest.
   *
   * @param others names of other counters
   */
  public static IOStatisticsStore gathering(String... others) {
    IOStatistics written = new OutputStatistics().view();
    List<String> counters = new ArrayList<>(List.of(others));
    InputStatistics.names().forEach(counters::add);
    counters.addAll(written.counters().keySet());
    return IOStatisticsBinding.iostatisticsStore()
        .withCounters(counters.toArray(String[]::new))
        .withMaximums(written.maximums().keySet().toArray(String[]::new))
        .withMeanStatistics(written.meanStatistics().keySet().toArray(String[]::new))
        .build();
  }
}
