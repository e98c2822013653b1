// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@link io.radosfs.RadosPlugin} does on each executor. */
public final class ExecutorSide implements ExecutorPlugin {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorSide.class);

  /** Where the executor is the driver's own process, which has done all of this. */
  private static final String DRIVER = "driver";

  private Optional<MetricsReporter> reporter = Optional.empty();

  /**
   * Runs before any task of the executor.
   *
   * @throws UncheckedIOException if Ceph cannot be reached from here, with the reason and what to
   *     do: the executor ends, and Spark logs the reason on the driver
   */
  @Override
  public void init(PluginContext plugin, Map<String, String> unused) {
    if (plugin.executorID().equals(DRIVER)) {
      return;
    }
    PublishedMetrics.register(plugin.metricRegistry());
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(plugin.conf());
    SessionSettings.apply(hadoop);
    Optional<AccessCheck> check = AccessCheck.of(hadoop, plugin.conf());
    try {
      if (check.isPresent()) {
        LOG.info("radosfs is ready: {}", String.join(", ", run(check.get(), plugin)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          // Spark adds the host; its own PluginContext.hostname() fails on an executor.
          "radosfs cannot be used on executor " + plugin.executorID() + ": " + e.getMessage(), e);
    }
    Duration interval = new Settings(hadoop, "").get(CommitterOptions.PLUGIN_METRICS_INTERVAL);
    if (!interval.isZero()) {
      reporter = Optional.of(new MetricsReporter(plugin, interval));
    }
  }

  @Override
  public void shutdown() {
    reporter.ifPresent(MetricsReporter::close);
  }

  private static Iterable<String> run(AccessCheck check, PluginContext plugin) throws IOException {
    try {
      return check.run();
    } catch (StoreException e) {
      if (!e.is(StoreException.Kind.PERMISSION_DENIED)) {
        throw e;
      }
      for (String pool : check.pools()) {
        Optional<String> refusal = KeyTransfer.fetch(plugin, pool);
        if (refusal.isPresent()) {
          throw new IOException(
              e.getMessage() + ". The driver has sent no key: " + refusal.get(), e);
        }
      }
      return check.run();
    }
  }
}
