// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.ProcessMetrics;
import java.util.HashMap;
import java.util.Map;

/**
 * What an executor tells the driver of its numbers. The message is an array of strings, as any of
 * Spark's class loaders can read it.
 *
 * @param executor its ID
 * @param isLast whether the executor ends
 * @param values by the names of metrics
 */
record MetricsReport(String executor, boolean isLast, Map<String, Long> values) {

  private static final String REPORT = "radosfs: the metrics of";
  private static final String GOES_ON = "goes on";
  private static final String ENDS = "ends";

  /** Those of this process now. */
  static MetricsReport ofThisProcess(String executor, boolean isLast) {
    ProcessMetrics metrics = ProcessMetrics.get();
    Map<String, Long> values = new HashMap<>();
    for (Metric metric : PublishedMetrics.ofExecutors()) {
      values.put(metric.name(), metrics.value(metric));
    }
    return new MetricsReport(executor, isLast, values);
  }

  static boolean isReport(Object message) {
    return message instanceof String[] words && words.length >= 3 && words[0].equals(REPORT);
  }

  static MetricsReport of(Object message) {
    String[] words = (String[]) message;
    Map<String, Long> values = new HashMap<>();
    for (int i = 3; i + 1 < words.length; i += 2) {
      values.put(words[i], Long.parseLong(words[i + 1]));
    }
    return new MetricsReport(words[1], words[2].equals(ENDS), values);
  }

  String[] message() {
    String[] words = new String[3 + 2 * values.size()];
    words[0] = REPORT;
    words[1] = executor;
    words[2] = isLast ? ENDS : GOES_ON;
    int next = 3;
    for (Map.Entry<String, Long> each : values.entrySet()) {
      words[next++] = each.getKey();
      words[next++] = Long.toString(each.getValue());
    }
    return words;
  }
}
