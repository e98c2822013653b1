// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.RadosCommitterFactory;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.file.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark's own protocol, with MapReduce's setting for our committer and no other. */
@Tag("slow")
class SparksOwnProtocolTest {

  private static final String TABLE = "rados://meta/table";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private SparkSession spark;

  @TempDir Path warehouse;

  @BeforeEach
  void start() {
    spark =
        SimulatedSpark.builder(cluster, warehouse)
            .config(
                "spark.hadoop.mapreduce.outputcommitter.factory.scheme.rados",
                RadosCommitterFactory.class.getName())
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private void write(long from, SaveMode mode) {
    spark
        .range(from, from + 10)
        .selectExpr("id", "id % 2 AS p")
        .write()
        .partitionBy("p")
        .mode(mode)
        .option("partitionOverwriteMode", "dynamic")
        .orc(TABLE);
  }

  /** It would leave both tables' rows, and succeed. */
  @Test
  void aDynamicOverwriteIsRefusedAndChangesNothing() {
    write(0, SaveMode.Append);
    assertThatThrownBy(() -> write(100, SaveMode.Overwrite))
        .hasStackTraceContaining("it would add the new rows and keep the old ones")
        .hasStackTraceContaining("spark.plugins=io.radosfs.RadosPlugin");
    assertThat(spark.read().orc(TABLE).count()).isEqualTo(10);
    assertThat(spark.read().orc(TABLE).where("id >= 100").count()).isZero();
  }
}
