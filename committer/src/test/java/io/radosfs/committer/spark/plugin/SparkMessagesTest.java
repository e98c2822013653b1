// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.RadosPlugin;
import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.LoggedLines;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
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
    ToldMessages.of(PAGE, "Spark that does not start").assertAre(told);
  }
}
