// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** On the driver: hears from Spark which executors are gone, also those that were killed. */
final class RemovedExecutors extends SparkListener {

  private final ExecutorsMetrics metrics;

  RemovedExecutors(ExecutorsMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    metrics.remove(removed.executorId());
  }
}
