// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.radosfs.connector.store.RadosStatistic;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;

/**
 * The counts of RADOS operations and bytes of this process, for Spark's metrics: {@code
 * <application>.<executor>.plugin.io.radosfs.RadosPlugin.rados_op_read} and so on.
 */
final class OperationMetrics {

  private OperationMetrics() {}

  static void register(MetricRegistry registry) {
    for (String name : RadosStatistic.symbols()) {
      registry.register(name, (Gauge<Long>) () -> count(name));
    }
  }

  private static long count(String name) {
    StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get(RadosStatistic.OF_PROCESS);
    Long count = statistics == null ? null : statistics.getLong(name);
    return count == null ? 0 : count;
  }
}
