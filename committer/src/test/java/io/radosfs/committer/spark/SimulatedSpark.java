// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Spark in this JVM, on two threads and the simulation. */
final class SimulatedSpark {

  private SimulatedSpark() {}

  /** Returns what builds a session without a committer, to which a test adds its own settings. */
  static SparkSession.Builder builder(SimulatedCluster cluster, Path warehouse) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", warehouse.toUri().toString());
    Configuration simulated = SimulatedConnections.configure(new Configuration(false), cluster);
    for (Map.Entry<String, String> setting : simulated) {
      builder.config("spark.hadoop." + setting.getKey(), setting.getValue());
    }
    return builder;
  }

  /** Writes ten rows, from a number on, to two partitions. An overwrite is a dynamic one. */
  static void writePartitions(SparkSession spark, String table, long from, SaveMode mode) {
    spark
        .range(from, from + 10)
        .selectExpr("id", "id % 2 AS p")
        .write()
        .partitionBy("p")
        .mode(mode)
        .option("partitionOverwriteMode", "dynamic")
        .orc(table);
  }
}
