// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.workbench.WriteMetrics;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes and rows that Spark's user interface shows of a job. */
class SparkMetricsIT {

  private static SparkOnCeph on;
  private static SparkSession spark;

  private final Sums sums = new Sums();
  private final WriteMetrics writes = new WriteMetrics();

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    spark = on.spark;
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @BeforeEach
  void listen() {
    spark.sparkContext().addSparkListener(sums);
    spark.listenerManager().register(writes);
  }

  @AfterEach
  void stopListening() {
    spark.sparkContext().removeSparkListener(sums);
    spark.listenerManager().unregister(writes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "csv", "json"})
  void outputMetricsAreThoseOfTheFiles(String format) throws Exception {
    String name = "output-" + format;
    spark
        .range(0, 10_000, 1, 4)
        .selectExpr("id", "sha2(cast(id AS string), 256) AS text", "id % 3 AS p")
        .write()
        .format(format)
        .partitionBy("p")
        .save(on.uri(name));
    WriteMetrics.Write write = writes.next();

    long bytes = on.dataFiles(name).stream().mapToLong(FileStatus::getLen).sum();
    assertThat(write.files()).isEqualTo(12).isEqualTo(on.dataFiles(name).size());
    assertThat(write.rows()).isEqualTo(10_000);
    assertThat(write.bytes()).isEqualTo(bytes);
    sums.await(spark);
    assertThat(sums.bytesWritten).hasValue(bytes);
    assertThat(sums.recordsWritten).hasValue(10_000);
  }

  @Test
  void inputMetricsOfTextAreTheFilesBytes() throws Exception {
    spark
        .range(0, 50_000, 1, 2)
        .selectExpr("sha2(cast(id AS string), 512) AS value")
        .write()
        .text(on.uri("input-text"));
    long bytes = on.dataFiles("input-text").stream().mapToLong(FileStatus::getLen).sum();
    sums.reset(spark);

    assertThat(spark.read().text(on.uri("input-text")).filter("length(value) = 128").count())
        .isEqualTo(50_000);

    sums.await(spark);
    assertThat(sums.recordsRead).hasValue(50_000);
    assertThat(sums.bytesRead.get()).isBetween(bytes, bytes + (bytes / 10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void inputMetricsOfColumnsAreAboutTheFilesBytes(String format) throws Exception {
    String name = "input-" + format;
    spark
        .range(0, 100_000, 1, 1)
        .selectExpr("sha2(cast(id AS string), 512) AS value")
        .write()
        .format(format)
        .save(on.uri(name));
    long bytes = on.dataFiles(name).stream().mapToLong(FileStatus::getLen).sum();
    sums.reset(spark);

    assertThat(spark.read().format(format).load(on.uri(name)).filter("length(value) = 128").count())
        .isEqualTo(100_000);

    sums.await(spark);
    assertThat(sums.recordsRead.get()).isEqualTo(100_000);
    assertThat(sums.bytesRead.get()).isBetween(bytes * 9 / 10, bytes * 12 / 10);
  }

  /** The sums over all tasks. */
  private static final class Sums extends SparkListener {
    private final AtomicLong bytesWritten = new AtomicLong();
    private final AtomicLong recordsWritten = new AtomicLong();
    private final AtomicLong bytesRead = new AtomicLong();
    private final AtomicLong recordsRead = new AtomicLong();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      bytesWritten.addAndGet(task.taskMetrics().outputMetrics().bytesWritten());
      recordsWritten.addAndGet(task.taskMetrics().outputMetrics().recordsWritten());
      bytesRead.addAndGet(task.taskMetrics().inputMetrics().bytesRead());
      recordsRead.addAndGet(task.taskMetrics().inputMetrics().recordsRead());
    }

    /** Until Spark has told all that happened so far. */
    private void await(SparkSession spark) throws Exception {
      spark.sparkContext().listenerBus().waitUntilEmpty();
    }

    private void reset(SparkSession spark) throws Exception {
      await(spark);
      for (AtomicLong sum :
          new AtomicLong[] {bytesWritten, recordsWritten, bytesRead, recordsRead}) {
        sum.set(0);
      }
    }
  }
}
