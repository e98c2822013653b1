// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On an executor: tells the driver the numbers of this process from time to time, and once more at
 * the end. A message without an answer, some two kilobytes.
 */
final class MetricsReporter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsReporter.class);

  private final PluginContext plugin;
  private final ScheduledExecutorService timer;

  MetricsReporter(PluginContext plugin, Duration interval) {
    this.plugin = plugin;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "radosfs-metrics");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        timer.scheduleWithFixedDelay(
            () -> tell(/* isLast= */ false),
            interval.toMillis(),
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void tell(boolean isLast) {
    try {
      plugin.send(MetricsReport.ofThisProcess(plugin.executorID(), isLast).message());
    } catch (IOException | RuntimeException e) {
      // The driver may be gone already; the next message has all that this one would have had.
      LOG.debug("The driver could not be told the metrics of radosfs", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    tell(/* isLast= */ true);
  }
}
