// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.RadosPlugin;
import io.radosfs.committer.CommitterOptions;
import io.radosfs.committer.LoggedLines;
import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark with the plugin, and no other setting of radosfs but where the simulation is. */
@Tag("slow")
class RadosPluginTest {

  private static final String ACTIVE =
      "The committer of radosfs is active for rados:// ("
          + RadosCommitProtocol.class.getName()
          + ")";

  private static final String DIRECTORIES_BY_A_JOB =
      "spark.sql.sources.parallelPartitionDiscovery.threshold";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private SparkSession spark;

  @TempDir Path warehouse;

  private SparkSession.Builder builder() {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", warehouse.toUri().toString())
            .config("spark.plugins", RadosPlugin.class.getName());
    Configuration simulated = SimulatedConnections.configure(new Configuration(false), cluster);
    simulated.unset("fs.AbstractFileSystem.rados.impl");
    for (Map.Entry<String, String> setting : simulated) {
      builder.config("spark.hadoop." + setting.getKey(), setting.getValue());
    }
    return builder;
  }

  @AfterEach
  void stop() {
    if (spark != null) {
      spark.stop();
    }
    SparkSession.clearDefaultSession();
    SparkSession.clearActiveSession();
  }

  @Test
  void oneSettingIsAllThatAJobNeeds() {
    spark = builder().getOrCreate();
    spark.range(100).write().parquet("rados://meta/table");
    assertThat(spark.read().parquet("rados://meta/table").count()).isEqualTo(100);
    assertThat(cluster.objects("meta", "")).containsKey("table/_SUCCESS");
    assertThat(cluster.objects("meta", "").keySet())
        .as("nothing was renamed")
        .noneMatch(name -> name.contains("_temporary"));
    assertThat(SQLConf.get().getConfString(SessionSettings.PROTOCOL))
        .isEqualTo(RadosCommitProtocol.class.getName());
  }

  @Test
  void hadoopFindsBothFileSystemsAndTheCommitter() throws ClassNotFoundException {
    spark = builder().getOrCreate();
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    List<String> keys = new ArrayList<>(SessionSettings.FILE_SYSTEMS.keySet());
    keys.add(SessionSettings.FACTORY);
    for (String key : keys) {
      assertThat(hadoop.getClassByName(hadoop.get(key)).getName()).startsWith("io.radosfs.");
      assertThat(spark.sparkContext().getConf().get("spark.hadoop." + key))
          .as("for executors")
          .isEqualTo(hadoop.get(key));
    }
  }

  @Test
  void whatTheUserHasSetStays() {
    String other = "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol";
    spark = builder().config(SessionSettings.PROTOCOL, other).getOrCreate();
    assertThat(SQLConf.get().getConfString(SessionSettings.PROTOCOL)).isEqualTo(other);
    assertThat(spark.sparkContext().hadoopConfiguration().get(SessionSettings.FACTORY))
        .as("which that protocol does not get on with")
        .isNull();
  }

  /** A task for each directory takes Spark longer than the driver needs for all of them. */
  @Test
  void aPartitionedTableIsListedByTheDriver() throws IOException {
    spark = builder().config(DIRECTORIES_BY_A_JOB, "2").getOrCreate();
    String table = "rados://meta/partitioned";
    spark.range(100).selectExpr("id", "id % 7 as k").write().partitionBy("k").parquet(table);
    FileSystem fs =
        new org.apache.hadoop.fs.Path(table)
            .getFileSystem(spark.sparkContext().hadoopConfiguration());
    for (String hidden : List.of("_temporary/0/f", ".hidden/f", "k=1/_f", "k=1/.f")) {
      fs.create(new org.apache.hadoop.fs.Path(table, hidden)).close();
    }
    int jobs = jobs();
    int reads = cluster.client("client.admin").reads();
    String[] files = files(table);
    assertThat(jobs()).as("jobs").isEqualTo(jobs);
    assertThat(cluster.client("client.admin").reads() - reads)
        .as("the root, its 10 directories, and looks at the root by Spark")
        .isBetween(11, 15);
    spark.conf().set(SessionSettings.LISTED_BY_ONE_CALL, "s3a");
    assertThat(files(table)).containsExactlyInAnyOrder(files);
    assertThat(jobs()).as("jobs, as by default").isEqualTo(jobs + 1);
    spark.conf().set(SessionSettings.LISTED_BY_ONE_CALL, "rados");
    assertThat(files(files[0])).containsExactly(files[0]);
    assertThat(spark.read().parquet(table).count()).isEqualTo(100);
  }

  /** With a schema, so that no file is read for it. */
  private String[] files(String table) {
    return spark.read().schema("id long, k long").parquet(table).inputFiles();
  }

  private int jobs() {
    return spark.sparkContext().statusTracker().getJobIdsForGroup(null).length;
  }

  @Test
  void theLogSaysThatTheCommitterIsActive() {
    assertThat(startAndLog(Level.INFO)).containsOnlyOnce("INFO " + ACTIVE).doesNotContain("WARN");
  }

  @Test
  void aLogOfWarningsAloneSaysSoWhereThatIsWanted() {
    assertThat(startAndLog(Level.WARN)).isEmpty();
    stop();
    String key = "spark.hadoop." + CommitterOptions.LOG_LEVEL.key();
    assertThat(startAndLog(Level.WARN, key, "warn")).isEqualTo("WARN " + ACTIVE + "\n");
    stop();
    assertThat(startAndLog(Level.INFO, key, "warn")).containsOnlyOnce(ACTIVE);
  }

  /** The lines of the plugin, where the log has those of this level, while Spark starts. */
  private String startAndLog(Level level, String... setting) {
    SparkSession.Builder builder = builder();
    if (setting.length > 0) {
      builder.config(setting[0], setting[1]);
    }
    return LoggedLines.of(
        level, List.of(DriverSide.class.getName()), () -> spark = builder.getOrCreate());
  }

  @Test
  void anApplicationThatCannotReachItsFileSystemEndsAtOnce() {
    SparkSession.Builder wrong =
        builder().config("spark.hadoop." + CommitterOptions.PLUGIN_CHECK.key(), "rados://other/");
    assertThatThrownBy(wrong::getOrCreate)
        .hasStackTraceContaining("radosfs cannot be used on the driver")
        .hasStackTraceContaining("the cluster has no pool 'other'");
  }

  @Test
  void theFileSystemOfSparksOwnPathsIsTried() {
    SparkSession.Builder wrong = builder().config("spark.sql.warehouse.dir", "rados://other/w");
    assertThatThrownBy(wrong::getOrCreate)
        .hasStackTraceContaining("the cluster has no pool 'other'");
  }

  /** Hadoop takes what has no authority for a path of the default file system. */
  @Test
  void aPathWithoutAPoolIsInTheDefaultFileSystem() {
    String path = "rados:///w";
    spark =
        builder()
            .config("spark.hadoop.fs.defaultFS", "rados://meta/")
            .config("spark.sql.warehouse.dir", path)
            .getOrCreate();
    stop();
    SparkSession.Builder wrong = builder().config("spark.sql.warehouse.dir", path);
    assertThatThrownBy(wrong::getOrCreate).hasStackTraceContaining("no pool is named in " + path);
  }

  @Test
  void theCheckCanBeLeftOut() {
    spark =
        builder()
            .config("spark.hadoop.fs.rados.ceph.conf", "nowhere")
            .config("spark.hadoop." + CommitterOptions.PLUGIN_CHECK.key(), "off")
            .getOrCreate();
    assertThat(spark.range(3).count()).isEqualTo(3);
  }

  @Test
  void aCheckOfWhatIsNotOursIsRefused() {
    SparkSession.Builder wrong =
        builder().config("spark.hadoop." + CommitterOptions.PLUGIN_CHECK.key(), "s3a://bucket/");
    assertThatThrownBy(wrong::getOrCreate).hasStackTraceContaining("'s3a://bucket/'");
  }

  @Test
  void sparksMetricsHaveTheCountsOfOperations() {
    spark = builder().getOrCreate();
    long before = metric(RadosStatistic.OP_WRITE);
    spark.range(100).write().parquet("rados://meta/counted");
    assertThat(metric(RadosStatistic.OP_WRITE) - before).isBetween(5L, 100L);
    assertThat(metric(RadosStatistic.BYTES_WRITTEN)).isPositive();
  }

  private static long metric(RadosStatistic statistic) {
    var sources =
        SparkEnv.get().metricsSystem().getSourcesByName("plugin." + RadosPlugin.class.getName());
    assertThat(sources.size()).isEqualTo(1);
    return (Long) sources.head().metricRegistry().getGauges().get(statistic.symbol()).getValue();
  }
}
