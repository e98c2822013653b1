// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Sums what the tasks of each query shuffled and spilled. Spark tells of a task's end some time
 * after it. So a task counts for the query that was the last to begin before the task was launched,
 * and the sums are complete when the session has ended.
 */
public final class ShuffleListener extends SparkListener {

  private final NavigableMap<Long, String> queries = new ConcurrentSkipListMap<>();
  private final Map<String, ShuffleBytes> sums = new ConcurrentHashMap<>();

  /** Tasks that are launched from now on are of this query; those before the first, of none. */
  public void begin(String query) {
    begin(query, System.currentTimeMillis());
  }

  void begin(String query, long epochMillis) {
    queries.put(epochMillis, query);
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    // A task that failed may have none.
    if (task.taskMetrics() != null) {
      add(task.taskInfo().launchTime(), ShuffleBytes.of(task.taskMetrics()));
    }
  }

  void add(long launchedEpochMillis, ShuffleBytes bytes) {
    Map.Entry<Long, String> query = queries.floorEntry(launchedEpochMillis);
    if (query != null) {
      sums.merge(query.getValue(), bytes, ShuffleBytes::plus);
    }
  }

  /** That of a query, as far as Spark has told. */
  public ShuffleBytes of(String query) {
    return sums.getOrDefault(query, ShuffleBytes.NONE);
  }
}
