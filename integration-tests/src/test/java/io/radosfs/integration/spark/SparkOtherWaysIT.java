// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.RadosCommitterFactory;
import io.radosfs.workbench.SparkSessions;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Ways of Spark to write that do not go through our commit protocol: a file system is enough. */
class SparkOtherWaysIT {

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

  /** Which renames. */
  @Test
  void sparksOwnProtocol() throws Exception {
    String to = on.uri("own-protocol");
    spark
        .conf()
        .set(
            SparkSessions.PROTOCOL_SETTING,
            "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol");
    try {
      write(0, 100, SaveMode.ErrorIfExists, to);
      write(100, 150, SaveMode.Append, to);
      assertThat(ids(to)).isEqualTo(numbers(0, 150));
      write(500, 600, SaveMode.Overwrite, to);
      assertThat(ids(to)).isEqualTo(numbers(500, 600));
    } finally {
      spark.conf().set(SparkSessions.PROTOCOL_SETTING, SparkSessions.PROTOCOL);
    }
    assertThat(on.files("own-protocol")).noneMatch(file -> file.contains("_temporary"));
    assertThat(on.objects().dataObjectsBelow("own-protocol"))
        .isEqualTo(on.files("own-protocol").size());
  }

  @Test
  void resilientDatasets() throws Exception {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<String> lines = List.of("eins", "zwei", "größer", "日本");
    context.parallelize(lines, 2).saveAsTextFile(on.uri("rdd"));
    assertThat(context.textFile(on.uri("rdd")).collect())
        .containsExactlyInAnyOrderElementsOf(lines);

    context.parallelize(lines, 2).saveAsObjectFile(on.uri("rdd-objects"));
    assertThat(context.objectFile(on.uri("rdd-objects")).collect())
        .containsExactlyInAnyOrderElementsOf(lines);

    context.setCheckpointDir(on.uri("rdd-checkpoints"));
    JavaRDD<String> checkpointed = context.parallelize(lines, 2).map(line -> line + "!");
    checkpointed.checkpoint();
    assertThat(checkpointed.count()).isEqualTo(4);
    assertThat(checkpointed.isCheckpointed()).isTrue();
    assertThat(checkpointed.collect()).contains("eins!", "日本!");
  }

  /** As PySpark does. Spark gives the tasks that configuration, and the driver a copy. */
  @Test
  void aResilientDatasetWithAPlainConfiguration() throws Exception {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Job job = Job.getInstance(spark.sparkContext().hadoopConfiguration());
    job.getConfiguration()
        .set(
            "mapreduce.outputcommitter.factory.scheme.rados",
            RadosCommitterFactory.class.getName());
    job.setOutputFormatClass(TextOutputFormat.class);
    job.setOutputKeyClass(String.class);
    job.setOutputValueClass(Integer.class);
    Path to = new Path(on.uri("rdd-dataset"));
    FileOutputFormat.setOutputPath(job, to);
    context
        .parallelize(List.of("eins", "zwei", "größer"), 2)
        .mapToPair(word -> new Tuple2<>(word, word.length()))
        .saveAsNewAPIHadoopDataset(new Configuration(job.getConfiguration()));
    assertThat(context.textFile(to.toString()).collect())
        .containsExactlyInAnyOrder("eins\t4", "zwei\t4", "größer\t6");
    FileStatus success =
        to.getFileSystem(job.getConfiguration()).getFileStatus(new Path(to, "_SUCCESS"));
    assertThat(success.getLen())
        .as("that of our committer says more than that it is there")
        .isPositive();
  }

  /** Its checkpoints rename atomically, through Hadoop's FileContext. */
  @Test
  void structuredStreaming() throws Exception {
    for (int batch = 0; batch < 3; batch++) {
      write(batch * 100, batch * 100 + 100, SaveMode.Append, on.uri("stream-in"));
      StreamingQuery query =
          spark
              .readStream()
              .schema("id BIGINT, p BIGINT")
              .parquet(on.uri("stream-in"))
              .writeStream()
              .format("parquet")
              .option("checkpointLocation", on.uri("stream-checkpoint"))
              .trigger(Trigger.AvailableNow())
              .start(on.uri("stream-out"));
      query.awaitTermination();
      assertThat(ids(on.uri("stream-out"))).isEqualTo(numbers(0, batch * 100 + 100));
    }
    assertThat(on.files("stream-checkpoint"))
        .contains("stream-checkpoint/commits/0", "stream-checkpoint/commits/2");
  }

  private static void write(int from, int to, SaveMode mode, String directory) {
    spark
        .range(from, to, 1, 2)
        .selectExpr("id", "id % 3 AS p")
        .write()
        .mode(mode)
        .partitionBy("p")
        .parquet(directory);
  }

  private static List<Long> ids(String directory) {
    return spark
        .read()
        .schema("id BIGINT, p BIGINT")
        .parquet(directory)
        .select("id")
        .orderBy("id")
        .as(Encoders.LONG())
        .collectAsList();
  }

  private static List<Long> numbers(int from, int to) {
    return LongStream.range(from, to).boxed().toList();
  }
}
