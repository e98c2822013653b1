// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import java.util.function.Consumer;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsContext;

/**
 * Hadoop's {@link IOStatisticsContext}: counts of what file systems did for a thread, which jobs
 * collect for each task.
 */
final class ThreadStatistics {

  private static final boolean KNOWN = isKnown();

  private ThreadStatistics() {}

  /** Hadoop before 3.3.5 does not have the class. */
  private static boolean isKnown() {
    try {
      Class<?> unused = Class.forName("org.apache.hadoop.fs.statistics.IOStatisticsContext");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns what adds to the context of the calling thread, from any thread. */
  static Consumer<IOStatistics> ofThisThread() {
    if (!KNOWN) {
      return statistics -> {};
    }
    var aggregator = IOStatisticsContext.getCurrentIOStatisticsContext().getAggregator();
    return statistics -> {
      boolean unused = aggregator.aggregate(statistics);
    };
  }
}
