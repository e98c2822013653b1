// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.ProcessMetrics;
import java.util.List;

/**
 * The numbers of this process for Spark's metrics: {@code
 * <application>.<executor>.plugin.io.radosfs.RadosPlugin.rados_op_read} and so on. On the driver
 * also those of all executors together, as {@code …RadosPlugin.executors.rados_op_read}.
 */
final class PublishedMetrics {

  /** Before the names of those of all executors. */
  static final String EXECUTORS = "executors.";

  private PublishedMetrics() {}

  /** Those of this process. */
  static void register(MetricRegistry registry) {
    ProcessMetrics metrics = ProcessMetrics.get();
    for (Metric metric : metrics.all()) {
      registry.register(metric.name(), (Gauge<Long>) () -> metrics.value(metric));
    }
  }

  /** Those of the executors. */
  static void register(MetricRegistry registry, ExecutorsMetrics executors) {
    for (Metric metric : ofExecutors()) {
      registry.register(EXECUTORS + metric.name(), (Gauge<Long>) () -> executors.value(metric));
    }
  }

  /** The metrics that make sense for several processes together. */
  static List<Metric> ofExecutors() {
    return ProcessMetrics.get().all().stream()
        .filter(metric -> metric.type() != Metric.Type.IDENTITY)
        .toList();
  }
}
