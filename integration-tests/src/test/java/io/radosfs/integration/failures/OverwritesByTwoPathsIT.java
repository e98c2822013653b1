// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.spark.SparkOnCeph;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two jobs of Spark overwrite an empty partition at the same time: one by the table's path, the
 * other by the partition's own. What one of them wrote is there, and nothing of the other.
 */
class OverwritesByTwoPathsIT {

  private static final int ROUNDS = 8;
  private static final int ROWS = 50;
  private static final long TIMEOUT_SECONDS = 120;

  private SparkOnCeph on;

  @BeforeEach
  void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterEach
  void stop() {
    on.close();
  }

  private Dataset<Long> rows(long from) {
    return on.spark.range(from, from + ROWS, 1, 2).as(Encoders.LONG());
  }

  private static List<Long> ids(long from) {
    return LongStream.range(from, from + ROWS).boxed().toList();
  }

  @Test
  void oneOfThemStays() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String table = "t" + round;
      String partition = table + "/p=1";
      assertThat(on.fileSystem().mkdirs(on.path(partition))).isTrue();
      CompletableFuture<Void> byTable =
          CompletableFuture.runAsync(
              () ->
                  rows(0)
                      .withColumn("p", lit(1))
                      .write()
                      .mode(SaveMode.Overwrite)
                      .option("partitionOverwriteMode", "dynamic")
                      .partitionBy("p")
                      .parquet(on.uri(table)));
      CompletableFuture<Void> byPartition =
          CompletableFuture.runAsync(
              () -> rows(ROWS).write().mode(SaveMode.Overwrite).parquet(on.uri(partition)));
      byTable.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      byPartition.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      List<Long> read =
          on.spark.read().parquet(on.uri(partition)).as(Encoders.LONG()).collectAsList().stream()
              .sorted()
              .toList();
      assertThat(read).as("round %d", round).isIn(ids(0), ids(ROWS));
    }
    new PoolState(on).assertCleanAfterCollection();
  }
}
