// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.spark.SparkOnCeph;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two jobs of Spark overwrite an empty partition at the same time: one as a table's, the other by
 * the partition's own path. What one of them wrote is there, and nothing of the other.
 */
class OverwritesByTwoPathsIT {

  private static final String OVERWRITE_MODE = "spark.sql.sources.partitionOverwriteMode";
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
    on.spark.conf().unset(OVERWRITE_MODE); // other tests have the same session
    on.close();
  }

  private Dataset<Long> rows(long from) {
    return on.spark.range(from, from + ROWS, 1, 2).as(Encoders.LONG());
  }

  private static List<Long> ids(long from) {
    return LongStream.range(from, from + ROWS).boxed().toList();
  }

  /** A table's job writes a partition, and another one writes by its path. */
  private void assertThatOneOfThemStays(int round, String partition, Runnable byTable)
      throws Exception {
    assertThat(on.fileSystem().mkdirs(on.path(partition))).isTrue();
    CompletableFuture<Void> table = CompletableFuture.runAsync(byTable);
    CompletableFuture<Void> path =
        CompletableFuture.runAsync(
            () -> rows(ROWS).write().mode(SaveMode.Overwrite).parquet(on.uri(partition)));
    table.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    path.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    List<Long> read =
        on.spark.read().parquet(on.uri(partition)).as(Encoders.LONG()).collectAsList().stream()
            .sorted()
            .toList();
    assertThat(read).as("round %d", round).isIn(ids(0), ids(ROWS));
  }

  @Test
  void oneOfThemStays() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String table = "t" + round;
      assertThatOneOfThemStays(
          round,
          table + "/p=1",
          () ->
              rows(0)
                  .withColumn("p", lit(1))
                  .write()
                  .mode(SaveMode.Overwrite)
                  .option("partitionOverwriteMode", "dynamic")
                  .partitionBy("p")
                  .parquet(on.uri(table)));
    }
    new PoolState(on).assertCleanAfterCollection();
  }

  /** The partition's location is outside the table's directory. */
  @ParameterizedTest
  @ValueSource(strings = {"p = 1", "p"})
  void soItIsWhereThePartitionHasALocationOfItsOwn(String written) throws Exception {
    on.spark.conf().set(OVERWRITE_MODE, "dynamic");
    String selected = written.equals("p") ? "id, 1" : "id";
    for (int round = 0; round < ROUNDS; round++) {
      String location = "elsewhere/" + round;
      String table = (written.equals("p") ? "dynamic" : "fixed") + round;
      sql(
          "CREATE TABLE %s (id BIGINT, p INT) USING parquet PARTITIONED BY (p) LOCATION '%s'",
          table, on.uri(table));
      // Else Spark tells of no overwrite.
      assertThat(on.fileSystem().mkdirs(on.path(table))).isTrue();
      sql("ALTER TABLE %s ADD PARTITION (p = 1) LOCATION '%s'", table, on.uri(location));
      rows(0).createOrReplaceTempView("new_rows");
      assertThatOneOfThemStays(
          round,
          location,
          () ->
              sql(
                  "INSERT OVERWRITE %s PARTITION (%s) SELECT %s FROM new_rows",
                  table, written, selected));
      sql("DROP TABLE %s", table);
    }
    assertThat(on.spark.catalog().dropTempView("new_rows")).isTrue();
    new PoolState(on).assertCleanAfterCollection();
  }

  private void sql(String statement, Object... arguments) {
    assertThat(on.spark.sql(String.format(Locale.ROOT, statement, arguments)).collectAsList())
        .isEmpty();
  }
}
