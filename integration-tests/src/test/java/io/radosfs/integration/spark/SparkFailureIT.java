// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.programs.Rows;
import java.util.TreeSet;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs and tasks that fail: nothing of them is ever seen, and nothing of them stays. */
class SparkFailureIT {

  private static SparkOnCeph on;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    spark = on.spark;
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void aFailedJobLeavesNothing() throws Exception {
    assertFails(() -> oneTaskFails().write().parquet(on.uri("failed")));
    assertThat(on.files("failed")).isEmpty();
    assertThat(on.objects().dataObjectsBelow("failed")).isZero();
    assertThat(on.objects().jobs()).isEmpty();
  }

  /** With save mode errorifexists, which refuses an empty directory too. */
  @Test
  void aFailedFirstJobCanBeRunAgain() throws Exception {
    assertFails(() -> oneTaskFails().write().parquet(on.uri("again")));
    assertThat(on.fileSystem().exists(on.path("again"))).isFalse();
    numbers(100).write().parquet(on.uri("again"));
    assertThat(spark.read().parquet(on.uri("again")).count()).isEqualTo(100);
    assertThat(on.objects().jobs()).isEmpty();
  }

  @Test
  void aFailedJobOverPartitionsLeavesNothing() throws Exception {
    assertFails(
        () ->
            oneTaskFails()
                .selectExpr("value", "value % 5 AS p")
                .write()
                .partitionBy("p")
                .parquet(on.uri("failed-partitions")));
    assertThat(on.files("failed-partitions")).isEmpty();
    assertThat(on.objects().dataObjectsBelow("failed-partitions")).isZero();
  }

  @Test
  void aFailedAppendLeavesTheOldFilesAlone() throws Exception {
    numbers(100).write().orc(on.uri("failed-append"));
    TreeSet<String> before = on.files("failed-append");
    assertFails(() -> oneTaskFails().write().mode(SaveMode.Append).orc(on.uri("failed-append")));
    assertThat(on.files("failed-append")).isEqualTo(before);
    assertThat(on.objects().firstStripesBelow("failed-append")).isEqualTo(before);
    assertThat(spark.read().orc(on.uri("failed-append")).count()).isEqualTo(100);
  }

  /** I8. */
  @Test
  void aFailedOverwriteLeavesTheOldDataReadable() throws Exception {
    numbers(100).write().parquet(on.uri("failed-overwrite"));
    TreeSet<String> before = on.files("failed-overwrite");
    assertFails(
        () -> oneTaskFails().write().mode(SaveMode.Overwrite).parquet(on.uri("failed-overwrite")));
    assertThat(on.files("failed-overwrite")).isEqualTo(before);
    assertThat(spark.read().parquet(on.uri("failed-overwrite")).count()).isEqualTo(100);
  }

  /** I8, over partitions; and the directory can be overwritten by the next job. */
  @Test
  void aFailedOverwriteOfPartitionsLeavesTheOldDataReadable() throws Exception {
    String to = on.uri("failed-overwrite-partitions");
    numbers(100).selectExpr("value", "value % 3 AS p").write().partitionBy("p").orc(to);
    assertFails(
        () ->
            oneTaskFails()
                .selectExpr("value", "value % 5 AS p")
                .write()
                .mode(SaveMode.Overwrite)
                .partitionBy("p")
                .orc(to));
    assertThat(spark.read().orc(to).count()).isEqualTo(100);
    numbers(7)
        .selectExpr("value", "value % 2 AS p")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("p")
        .orc(to);
    assertThat(spark.read().orc(to).count()).isEqualTo(7);
  }

  @Test
  void aTaskThatFailsOnceIsWrittenOnce() throws Exception {
    MapPartitionsFunction<Long, Long> failsAtFirst =
        numbers ->
            Rows.then(
                numbers,
                () -> {
                  TaskContext task = TaskContext.get();
                  if (task.partitionId() == 2 && task.attemptNumber() == 0) {
                    throw new IllegalStateException("made to fail at first");
                  }
                });
    spark
        .range(0, 1000, 1, 4)
        .as(Encoders.LONG())
        .mapPartitions(failsAtFirst, Encoders.LONG())
        .write()
        .parquet(on.uri("retried"));
    assertThat(spark.read().parquet(on.uri("retried")).distinct().count()).isEqualTo(1000);
    assertThat(spark.read().parquet(on.uri("retried")).count()).isEqualTo(1000);
    assertThat(on.objects().dataObjectsBelow("retried"))
        .as("the failed attempt's objects are gone")
        .isEqualTo(on.files("retried").size());
  }

  private static Dataset<Long> numbers(int count) {
    return spark.range(0, count, 1, 4).as(Encoders.LONG()).toDF("value").as(Encoders.LONG());
  }

  /** Eight tasks of which one fails, in both its attempts, after it wrote and others committed. */
  private static Dataset<Long> oneTaskFails() {
    MapPartitionsFunction<Long, Long> fails =
        numbers ->
            Rows.then(
                numbers,
                () -> {
                  if (TaskContext.get().partitionId() == 7) {
                    Thread.sleep(300);
                    throw new IllegalStateException("made to fail");
                  }
                });
    return spark.range(0, 800, 1, 8).as(Encoders.LONG()).mapPartitions(fails, Encoders.LONG());
  }

  private static void assertFails(Runnable write) {
    assertThatThrownBy(write::run).hasStackTraceContaining("made to fail");
  }
}
