// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.spark.SparkRelease;
import io.radosfs.connector.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What {@link io.radosfs.RadosPlugin} does on the driver. */
public final class DriverSide implements DriverPlugin {

  private static final Logger LOG = LoggerFactory.getLogger(DriverSide.class);

  private SparkConf spark;
  private Configuration hadoop;
  private ExecutorsMetrics executors;

  /**
   * Runs before any session, executor or task of the application.
   *
   * @throws UncheckedIOException if Ceph cannot be reached, with the reason and what to do: the
   *     application ends
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    SparkRelease.require();
    spark = plugin.conf();
    hadoop = context.hadoopConfiguration();
    SessionSettings.apply(spark, hadoop);
    executors =
        new ExecutorsMetrics(
            new Settings(hadoop, "").get(CommitterOptions.PLUGIN_METRICS_INTERVAL),
            System::nanoTime);
    context.addSparkListener(new RemovedExecutors(executors));
    try {
      Optional<AccessCheck> check = AccessCheck.of(hadoop, spark);
      if (check.isPresent()) {
        LOG.info("radosfs is ready: {}", String.join(", ", check.get().run()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("radosfs cannot be used on the driver: " + e.getMessage(), e);
    }
    tellOfTheCommitter();
    return Map.of();
  }

  private void tellOfTheCommitter() {
    String protocol = SessionSettings.protocol(spark);
    if (SessionSettings.isOurs(protocol)) {
      boolean warns = new Settings(hadoop, "").get(CommitterOptions.LOG_LEVEL).isWarning(LOG);
      LOG.atLevel(warns ? Level.WARN : Level.INFO)
          .log("The committer of radosfs is active for rados:// ({})", protocol);
    } else {
      LOG.warn(
          "The committer of radosfs is not active: {} is {}. Remove that setting, or set it to {}",
          SessionSettings.PROTOCOL,
          protocol,
          SessionSettings.OUR_PROTOCOL);
    }
  }

  @Override
  public void registerMetrics(String application, PluginContext plugin) {
    PublishedMetrics.register(plugin.metricRegistry());
    PublishedMetrics.register(plugin.metricRegistry(), executors);
  }

  /** Answers an executor that asks for its key, and takes the metrics of executors. */
  @Override
  public Object receive(Object message) throws IOException {
    if (MetricsReport.isReport(message)) {
      executors.take(MetricsReport.of(message));
      return null;
    }
    if (!KeyTransfer.isQuestion(message)) {
      throw new IllegalArgumentException("unknown question of an executor");
    }
    return KeyTransfer.answer(message, spark, hadoop);
  }
}
