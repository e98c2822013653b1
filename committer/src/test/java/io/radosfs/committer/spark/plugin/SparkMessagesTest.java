// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.catchThrowable;

import com.codahale.metrics.MetricRegistry;
import io.radosfs.RadosPlugin;
import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.LoggedLines;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Provokes what a Spark with the plugin says when it starts. */
@Tag("slow")
class SparkMessagesTest {

  private static final String PAGE = "committer/docs/troubleshooting.md";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final List<String> told = new ArrayList<>();

  private SparkSession.Builder builder() {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", RadosPlugin.class.getName());
    Configuration simulated = SimulatedConnections.configure(new Configuration(false), cluster);
    for (Map.Entry<String, String> setting : simulated) {
      builder.config("spark.hadoop." + setting.getKey(), setting.getValue());
    }
    return builder;
  }

  @AfterEach
  void forget() {
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
  }

  /** The innermost of radosfs's own, or of what Spark could not load. */
  private void tellStarting(SparkSession.Builder builder) {
    Throwable thrown = catchThrowable(() -> builder.getOrCreate().stop());
    while (thrown != null
        && !(thrown instanceof UncheckedIOException)
        && !(thrown instanceof ClassNotFoundException)
        && !(thrown instanceof IllegalArgumentException)) {
      thrown = thrown.getCause();
    }
    String type =
        thrown instanceof ClassNotFoundException ? thrown.getClass().getName() + ": " : "";
    told.add(thrown == null ? "nothing was thrown" : type + thrown.getMessage());
  }

  /** A host whose librados finds no key. */
  public static final class Keyless implements ClusterFactory {
    @Override
    public Cluster connect(Settings settings) throws IOException {
      throw new StoreException(
          StoreException.Kind.PERMISSION_DENIED,
          "",
          "cannot connect to Ceph: no key for this user");
    }
  }

  /** What an executor's side has of Spark; the driver's answers are its own. */
  private record Executor(SparkConf conf, Configuration ofDriver) implements PluginContext {
    @Override
    public MetricRegistry metricRegistry() {
      return new MetricRegistry();
    }

    @Override
    public String executorID() {
      return "1";
    }

    @Override
    public String hostname() {
      return "worker";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }

    @Override
    public void send(Object message) {}

    @Override
    public Object ask(Object question) throws IOException {
      return KeyTransfer.answer(question, conf, ofDriver);
    }
  }

  /** Spark makes executors as processes of its distribution alone: here is what one does first. */
  private void tellOnExecutor(Map<String, String> settings) {
    Configuration simulated = SimulatedConnections.configuration(cluster);
    SparkConf conf = new SparkConf(false);
    simulated.forEach(setting -> conf.set("spark.hadoop." + setting.getKey(), setting.getValue()));
    settings.forEach(conf::set);
    PluginContext executor = new Executor(conf, simulated);
    told.add(ToldMessages.thrownBy(() -> new ExecutorSide().init(executor, Map.of())));
  }

  @Test
  void starting() {
    tellStarting(builder().config("spark.plugins", "io.radosfs.RadosPlugn"));
    String check = "spark.hadoop." + CommitterOptions.PLUGIN_CHECK.key();
    tellStarting(builder().config(check, "rados://other/"));
    tellStarting(builder().config(check, "s3a://bucket/"));
    String other = "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol";
    told.add(
        LoggedLines.warningOf(
            DriverSide.class.getName(),
            () -> builder().config(SessionSettings.PROTOCOL, other).getOrCreate().stop()));
    tellOnExecutor(Map.of(check, "rados://other/"));
    tellOnExecutor(Map.of("spark.hadoop.fs.rados.cluster.factory", Keyless.class.getName()));
    ToldMessages.of(PAGE, "Spark that does not start").assertAre(told);
  }
}
