// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.RadosCommitterFactory;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

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
    SimulatedSpark.writePartitions(spark, TABLE, from, mode);
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

  /** Its tasks would write where readers look, and what a failed job wrote would stay. */
  @ParameterizedTest
  @ValueSource(strings = {"orc", "csv", "json", "text", "parquet"})
  void aJobThatFailsLeavesNothingVisible(String format) throws IOException {
    assertThatThrownBy(() -> append("if(id = 999, raise_error('bad row'), id)", format))
        .hasStackTraceContaining("bad row");
    assertThat(visible()).isEmpty();
    append("id", format);
    assertThat(visible()).hasSize(4);
    assertThat(spark.read().format(format).load(TABLE).count()).isEqualTo(1000);
  }

  /** As PySpark does. Spark gives the tasks that configuration, and the driver a copy. */
  @Test
  void anRddIsSavedWithAPlainConfiguration() throws IOException {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Job job = Job.getInstance(spark.sparkContext().hadoopConfiguration());
    job.setOutputFormatClass(TextOutputFormat.class);
    job.setOutputKeyClass(String.class);
    job.setOutputValueClass(Integer.class);
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(TABLE));
    context
        .parallelize(List.of("one", "two", "three"), 2)
        .mapToPair(word -> new Tuple2<>(word, word.length()))
        .saveAsNewAPIHadoopDataset(new Configuration(job.getConfiguration()));
    assertThat(context.textFile(TABLE).collect())
        .containsExactlyInAnyOrder("one\t3", "two\t3", "three\t5");
    assertThat(visible()).hasSize(2);
  }

  /** As HBase's formats did before HBASE-28459, and those of Avro before AVRO-3266. */
  public static class CastingFormat extends TextOutputFormat<String, Integer> {
    @Override
    public RecordWriter<String, Integer> getRecordWriter(TaskAttemptContext context)
        throws IOException, InterruptedException {
      org.apache.hadoop.fs.Path unused =
          ((FileOutputCommitter) getOutputCommitter(context)).getWorkPath();
      return super.getRecordWriter(context);
    }
  }

  private void saveWithCastingFormat(String key, String value) throws IOException {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Job job = Job.getInstance(spark.sparkContext().hadoopConfiguration());
    job.setOutputFormatClass(CastingFormat.class);
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(TABLE));
    job.getConfiguration().set(key, value);
    context
        .parallelize(List.of("one"), 1)
        .mapToPair(word -> new Tuple2<>(word, word.length()))
        .saveAsNewAPIHadoopDataset(job.getConfiguration());
  }

  /** The job can have Hadoop's committer, for itself alone. */
  @Test
  void aFormatThatNeedsHadoopsOwnCommitterIsGivenIt() throws IOException {
    String key = "mapreduce.outputcommitter.factory.scheme.rados";
    assertThatThrownBy(() -> saveWithCastingFormat(key, RadosCommitterFactory.class.getName()))
        .hasStackTraceContaining(
            "class io.radosfs.committer.RadosOutputCommitter cannot be cast to class"
                + " org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter");
    assertThat(visible()).isEmpty();
    saveWithCastingFormat(key, FileOutputCommitterFactory.class.getName());
    assertThat(visible()).hasSize(1);
  }

  private void append(String column, String format) {
    spark
        .range(0, 1000, 1, 4)
        .selectExpr("cast(" + column + " AS string) AS id")
        .write()
        .mode(SaveMode.Append)
        .format(format)
        .save(TABLE);
  }

  private List<String> visible() throws IOException {
    org.apache.hadoop.fs.Path table = new org.apache.hadoop.fs.Path(TABLE);
    FileSystem fs = table.getFileSystem(spark.sessionState().newHadoopConf());
    List<String> names = new ArrayList<>();
    if (fs.exists(table)) {
      for (FileStatus status : fs.listStatus(table)) {
        names.add(status.getPath().getName());
      }
    }
    names.remove("_SUCCESS");
    return names;
  }
}
