// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark writes is read back equal: formats, save modes, partitions, names. */
class SparkWriteIT {

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

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "avro", "csv", "json"})
  void writesAndReadsBack(String format) throws Exception {
    String to = on.uri("formats/" + format);
    Dataset<Row> rows = rows(0, 1000);

    rows.write().format(format).save(to);

    assertSameRows(spark.read().schema(rows.schema()).format(format).load(to), rows);
    assertThat(on.dataFiles("formats/" + format)).hasSize(4);
    assertThat(on.files("formats/" + format)).contains("formats/" + format + "/_SUCCESS");
  }

  @Test
  void writesAndReadsBackText() {
    List<String> lines = List.of("eins", "zwei, drei", "größer", "");
    spark.createDataset(lines, Encoders.STRING()).write().text(on.uri("formats/text"));
    assertThat(spark.read().textFile(on.uri("formats/text")).collectAsList())
        .containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void appendAdds() throws Exception {
    rows(0, 100).write().parquet(on.uri("append"));
    rows(100, 150).write().mode(SaveMode.Append).parquet(on.uri("append"));
    assertSameRows(spark.read().parquet(on.uri("append")), rows(0, 150));
    assertThat(on.dataFiles("append")).hasSize(8);
  }

  @Test
  void errorIfExistsRefusesAndLeavesTheOld() {
    rows(0, 100).write().parquet(on.uri("error"));
    assertThatThrownBy(() -> rows(0, 1).write().parquet(on.uri("error")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("already exists");
    assertSameRows(spark.read().parquet(on.uri("error")), rows(0, 100));
  }

  @Test
  void ignoreLeavesTheOld() {
    rows(0, 100).write().parquet(on.uri("ignore"));
    rows(500, 600).write().mode(SaveMode.Ignore).parquet(on.uri("ignore"));
    assertSameRows(spark.read().parquet(on.uri("ignore")), rows(0, 100));
  }

  @Test
  void overwriteReplaces() throws Exception {
    rows(0, 100).write().orc(on.uri("overwrite"));
    rows(200, 300).write().mode(SaveMode.Overwrite).orc(on.uri("overwrite"));
    assertSameRows(spark.read().orc(on.uri("overwrite")), rows(200, 300));
    assertThat(on.dataFiles("overwrite")).hasSize(4);
    assertThat(on.objects().dataObjectsBelow("overwrite"))
        .as("the old files' objects are deleted")
        .isEqualTo(on.files("overwrite").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void overwriteReplacesAllPartitions(String format) throws Exception {
    String name = "overwrite-partitions-" + format;
    withBucket(rows(0, 100), 5).write().format(format).partitionBy("bucket").save(on.uri(name));
    Dataset<Row> fewer = withBucket(rows(100, 200), 3);
    fewer.write().mode(SaveMode.Overwrite).format(format).partitionBy("bucket").save(on.uri(name));
    assertSameRows(read(format, name, fewer), fewer);
    assertThat(partitions(name)).containsExactly("bucket=0", "bucket=1", "bucket=2");
  }

  @Test
  void dynamicOverwriteReplacesThePartitionsWrittenAndNoOthers() {
    String to = on.uri("dynamic");
    withBucket(rows(0, 100), 5).write().partitionBy("bucket").parquet(to);
    Dataset<Row> other = withBucket(rows(1000, 1100), 5).where("bucket IN (1, 3)");
    other
        .write()
        .mode(SaveMode.Overwrite)
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("bucket")
        .parquet(to);
    assertSameRows(
        spark.read().schema(other.schema()).parquet(to),
        withBucket(rows(0, 100), 5).where("bucket NOT IN (1, 3)").union(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void partitionsByAColumn(String format) throws Exception {
    String name = "partitions-" + format;
    Dataset<Row> rows = withBucket(rows(0, 1000), 7);

    rows.write().format(format).partitionBy("bucket").save(on.uri(name));

    assertSameRows(read(format, name, rows), rows);
    assertThat(partitions(name)).hasSize(7).contains("bucket=0", "bucket=6");
    assertThat(read(format, name, rows).where("bucket = 3").count())
        .isEqualTo(rows.where("bucket = 3").count());
  }

  @Test
  void appendAddsToPartitionsOldAndNew() throws Exception {
    Dataset<Row> first = withBucket(rows(0, 100), 2);
    Dataset<Row> second = withBucket(rows(100, 300), 4);
    first.write().partitionBy("bucket").parquet(on.uri("append-partitions"));
    second.write().mode(SaveMode.Append).partitionBy("bucket").parquet(on.uri("append-partitions"));
    assertSameRows(read("parquet", "append-partitions", first), first.union(second));
  }

  @Test
  void partitionsByTwoColumns() throws Exception {
    Dataset<Row> rows = withBucket(rows(0, 200), 3).withColumn("half", col("id").mod(2));
    rows.write().partitionBy("bucket", "half").parquet(on.uri("two-columns"));
    assertSameRows(
        spark
            .read()
            .schema(rows.schema())
            .parquet(on.uri("two-columns"))
            .select("id", "text", "bucket", "half"),
        rows.select("id", "text", "bucket", "half"));
  }

  @Test
  void namesMayHoldAnything() throws Exception {
    List<String> values =
        List.of("with space", "50%", "a=b", "größe", "日本", "a/b", "%2F", "+", "ü\u0308", "🦑", "'");
    String name = "Namen mit größe/a=b %41 c";
    Dataset<Row> rows =
        spark.createDataset(values, Encoders.STRING()).toDF("value").withColumn("n", lit(1));

    rows.write().partitionBy("value").parquet(on.path(name).toString());

    Dataset<Row> back =
        spark.read().schema(rows.schema()).parquet(on.path(name).toString()).select("value");
    assertThat(back.as(Encoders.STRING()).collectAsList())
        .containsExactlyInAnyOrderElementsOf(values);
    assertThat(partitions(name)).contains("value=with space", "value=größe", "value=日本");
    assertThat(on.objects().firstStripesBelow(name)).isEqualTo(on.files(name));
  }

  @Test
  void nothingIsWrittenAsAnEmptyTable() throws Exception {
    Dataset<Row> none = rows(0, 10).where("id < 0");
    none.write().parquet(on.uri("empty"));
    assertThat(spark.read().parquet(on.uri("empty")).count()).isZero();
    assertThat(on.files("empty")).contains("empty/_SUCCESS");
  }

  @Test
  void filesOfManyStripesAreReadBack() {
    Dataset<Row> large =
        spark
            .range(0, 3000, 1, 1)
            .selectExpr("id", "repeat(sha2(cast(id AS string), 512), 64) AS text");
    large.write().option("compression", "none").parquet(on.uri("large"));
    assertSameRows(spark.read().parquet(on.uri("large")), large);
  }

  @Test
  void tablesTakeInsertsAndOverwritesOfAPartition() {
    spark.sql("DROP TABLE IF EXISTS t");
    spark.sql(
        "CREATE TABLE t (id BIGINT, p STRING) USING parquet PARTITIONED BY (p) LOCATION '"
            + on.uri("table")
            + "'");
    try {
      spark.sql("INSERT INTO t VALUES (1, 'a'), (2, 'a'), (3, 'b')");
      spark.sql("INSERT INTO t VALUES (4, 'c')");
      assertThat(ids()).containsExactly(1L, 2L, 3L, 4L);
      spark.sql("INSERT OVERWRITE t PARTITION (p = 'a') VALUES (7)");
      assertThat(ids()).containsExactly(3L, 4L, 7L);
      spark.sql("INSERT OVERWRITE t VALUES (8, 'd')");
      assertThat(ids()).containsExactly(8L);
    } finally {
      spark.sql("DROP TABLE t");
    }
  }

  /** The protocol is one setting for all of Spark, not for rados:// alone. */
  @Test
  void otherFileSystemsWorkAsBefore(@TempDir Path local) {
    String to = local.resolve("table").toUri().toString();
    withBucket(rows(0, 100), 3).write().partitionBy("bucket").parquet(to);
    Dataset<Row> fewer = withBucket(rows(100, 150), 2);
    fewer.write().mode(SaveMode.Overwrite).partitionBy("bucket").parquet(to);
    assertSameRows(spark.read().schema(fewer.schema()).parquet(to), fewer);
    assertThat(local.resolve("table/_SUCCESS")).exists();
  }

  private static List<Long> ids() {
    return spark.sql("SELECT id FROM t ORDER BY id").as(Encoders.LONG()).collectAsList();
  }

  /** Rows with the ids in that range, in four partitions. */
  private static Dataset<Row> rows(long from, long to) {
    return spark.range(from, to, 1, 4).selectExpr("id", "concat('Zeile ', id) AS text");
  }

  private static Dataset<Row> withBucket(Dataset<Row> rows, int buckets) {
    return rows.withColumn("bucket", col("id").mod(buckets));
  }

  private static Dataset<Row> read(String format, String name, Dataset<Row> like) {
    return spark.read().schema(like.schema()).format(format).load(on.uri(name));
  }

  /** The names of the directories in a directory. */
  private static TreeSet<String> partitions(String name) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    for (FileStatus status : on.fileSystem().listStatus(on.path(name))) {
      if (status.isDirectory()) {
        names.add(status.getPath().getName());
      }
    }
    return names;
  }

  private static void assertSameRows(Dataset<Row> actual, Dataset<Row> expected) {
    assertThat(actual.collectAsList())
        .containsExactlyInAnyOrderElementsOf(expected.collectAsList());
  }
}
