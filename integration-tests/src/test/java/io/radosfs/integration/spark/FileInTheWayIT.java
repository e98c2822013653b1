// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Spark overwrites where a file is: the commit replaces it; it stays if the job fails. */
class FileInTheWayIT {

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

  @AfterEach
  void noJobIsLeft() throws Exception {
    assertThat(on.objects().jobs()).isEmpty();
  }

  private static void file(String name) throws IOException {
    try (FSDataOutputStream out = on.fileSystem().create(on.path(name))) {
      out.write("a file".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void assertIsStillAFile(String name) throws IOException {
    assertThat(on.fileSystem().getFileStatus(on.path(name)).isFile()).isTrue();
    assertThat(on.fileSystem().getFileStatus(on.path(name)).getLen()).isEqualTo(6);
  }

  @Test
  void overwriteOntoAFile() throws Exception {
    file("file");
    spark.range(100).write().mode(SaveMode.Overwrite).parquet(on.uri("file"));
    assertThat(spark.read().parquet(on.uri("file")).count()).isEqualTo(100);
  }

  @Test
  void appendOntoAFileFails() throws Exception {
    file("append");
    assertThatThrownBy(
            () -> spark.range(100).write().mode(SaveMode.Append).parquet(on.uri("append")))
        .hasStackTraceContaining("/append is a file, not a directory");
    assertIsStillAFile("append");
  }

  /** By one task: another that still writes while the job is aborted removes its data later. */
  @Test
  void aFailedOverwriteKeepsTheFile() throws Exception {
    file("failed");
    assertThatThrownBy(
            () ->
                spark
                    .range(0, 100, 1, 1)
                    .selectExpr("if(id = 99, cast(raise_error('bad row') as bigint), id) as id")
                    .write()
                    .mode(SaveMode.Overwrite)
                    .parquet(on.uri("failed")))
        .hasStackTraceContaining("bad row");
    assertIsStillAFile("failed");
    assertThat(on.objects().dataObjectsBelow("failed")).isZero();
    spark.range(50).write().mode(SaveMode.Overwrite).parquet(on.uri("failed"));
    assertThat(spark.read().parquet(on.uri("failed")).count()).isEqualTo(50);
  }

  @Test
  void insertOverwriteDirectory() throws Exception {
    file("directory");
    spark.sql(
        "insert overwrite directory '"
            + on.uri("directory")
            + "' using parquet select id from range(100)");
    assertThat(spark.read().parquet(on.uri("directory")).count()).isEqualTo(100);
  }

  @Test
  void createTableAsSelect() throws Exception {
    file("ctas");
    spark.sql(
        "create table ctas using parquet location '"
            + on.uri("ctas")
            + "' as select id from range(100)");
    assertThat(spark.table("ctas").count()).isEqualTo(100);
    spark.sql("drop table ctas");
  }

  @Test
  void aFileIsWhereAPartitionWillBe() throws Exception {
    for (String mode : new String[] {"static", "dynamic"}) {
      file(mode + "/p=1");
      file(mode + "/p=7");
      spark
          .range(100)
          .selectExpr("id", "id % 3 as p")
          .write()
          .mode(SaveMode.Overwrite)
          .option("partitionOverwriteMode", mode)
          .partitionBy("p")
          .parquet(on.uri(mode));
      assertThat(spark.read().parquet(on.uri(mode + "/p=1")).count()).isEqualTo(33);
      TreeSet<String> files = on.files(mode);
      assertThat(files.contains(mode + "/p=7")).isEqualTo(mode.equals("dynamic"));
    }
  }

  @Test
  void insertOverwriteOfOnePartition() throws Exception {
    spark.sql(
        "create table one (id bigint, p bigint) using parquet partitioned by (p) location '"
            + on.uri("one")
            + "'");
    spark.sql("insert into one partition (p = 2) select id from range(10)");
    file("one/p=1");
    spark.sql("insert overwrite one partition (p = 1) select id from range(20)");
    assertThat(spark.read().parquet(on.uri("one/p=1")).count()).isEqualTo(20);
    assertThat(spark.read().parquet(on.uri("one/p=2")).count()).isEqualTo(10);
    spark.sql("drop table one");
  }
}
