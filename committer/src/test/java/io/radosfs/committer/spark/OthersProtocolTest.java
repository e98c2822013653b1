// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our protocol, and a table that is not on radosfs. */
@Tag("slow")
class OthersProtocolTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private SparkSession spark;

  @TempDir Path warehouse;

  /** As an object store has one: no FileOutputCommitter, as far as Spark can see. */
  public static class OtherFactory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(
        org.apache.hadoop.fs.Path outputPath, TaskAttemptContext context) throws IOException {
      return new Hidden(outputPath, context);
    }
  }

  /** As that of S3A is with {@code fs.s3a.committer.name=file}, its default. */
  public static class PlainFactory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(
        org.apache.hadoop.fs.Path outputPath, TaskAttemptContext context) throws IOException {
      return new FileOutputCommitter(outputPath, context);
    }
  }

  private static final class Hidden extends BindingPathOutputCommitter {
    Hidden(org.apache.hadoop.fs.Path outputPath, TaskAttemptContext context) throws IOException {
      super(outputPath, withHadoopsOwn(context));
    }

    private static TaskAttemptContext withHadoopsOwn(TaskAttemptContext context) {
      Configuration own = new Configuration(context.getConfiguration());
      own.set(
          PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS,
          PathOutputCommitterFactory.FILE_COMMITTER_FACTORY);
      return new TaskAttemptContextImpl(own, context.getTaskAttemptID());
    }
  }

  @BeforeEach
  void start() {
    spark =
        SimulatedSpark.builder(cluster, warehouse)
            .config("spark.sql.sources.commitProtocolClass", RadosCommitProtocol.class.getName())
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private String table() {
    return warehouse.resolve("table").toUri().toString();
  }

  private void write(long from, SaveMode mode) {
    SimulatedSpark.writePartitions(spark, table(), from, mode);
  }

  @Test
  void hadoopsCommitterOverwritesDynamically() {
    write(0, SaveMode.Append);
    write(100, SaveMode.Overwrite);
    assertThat(spark.read().orc(table()).where("id >= 100").count()).isEqualTo(10);
    assertThat(spark.read().orc(table()).count()).isEqualTo(10);
  }

  private void setFactory(Class<? extends PathOutputCommitterFactory> factory) {
    spark.conf().set("mapreduce.outputcommitter.factory.scheme.file", factory.getName());
  }

  /** The factory is not asked for Parquet: Spark takes the class that its Parquet has set. */
  @Test
  void parquetIsOverwrittenDynamicallyWhateverTheFactory() {
    setFactory(OtherFactory.class);
    for (SaveMode mode : new SaveMode[] {SaveMode.Append, SaveMode.Overwrite}) {
      spark
          .range(mode == SaveMode.Append ? 0 : 100, mode == SaveMode.Append ? 10 : 110)
          .selectExpr("id", "id % 2 AS p")
          .write()
          .partitionBy("p")
          .mode(mode)
          .option("partitionOverwriteMode", "dynamic")
          .parquet(table());
    }
    assertThat(spark.read().parquet(table()).select("id").as(Encoders.LONG()).collectAsList())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(100, 110).boxed().toList());
  }

  @Test
  void aFactoryThatMakesHadoopsCommitterOverwritesDynamically() {
    setFactory(PlainFactory.class);
    write(0, SaveMode.Append);
    write(100, SaveMode.Overwrite);
    assertThat(spark.read().orc(table()).where("id >= 100").count()).isEqualTo(10);
    assertThat(spark.read().orc(table()).count()).isEqualTo(10);
  }

  /** It would leave the rows of both, and succeed. */
  @Test
  void aDynamicOverwriteByAnotherCommitterIsRefusedAndChangesNothing() {
    write(0, SaveMode.Append);
    setFactory(OtherFactory.class);
    assertThatThrownBy(() -> write(100, SaveMode.Overwrite))
        .hasStackTraceContaining("it would add the new rows and keep the old ones")
        .hasStackTraceContaining("spark-hadoop-cloud")
        .hasStackTraceContaining(
            "mapreduce.outputcommitter.factory.scheme.file="
                + PathOutputCommitterFactory.FILE_COMMITTER_FACTORY);
    assertThat(spark.read().orc(table()).count()).isEqualTo(10);
    assertThat(spark.read().orc(table()).where("id >= 100").count()).isZero();
  }

  private boolean delete(RadosCommitProtocol protocol) throws IOException {
    org.apache.hadoop.fs.Path table = new org.apache.hadoop.fs.Path(table());
    return protocol.deleteWithJob(table.getFileSystem(new Configuration()), table, true);
  }

  @Test
  void whatAJobReplacesIsDeletedAtOnce() throws IOException {
    RadosCommitProtocol protocol = new RadosCommitProtocol("job", table(), false);
    assertThat(delete(protocol)).isFalse();
    Files.createDirectories(warehouse.resolve("table/p=1"));
    assertThat(delete(protocol)).isTrue();
    assertThat(warehouse.resolve("table")).doesNotExist();
    Configuration conf = new Configuration();
    conf.set("mapreduce.output.fileoutputformat.outputdir", table());
    protocol.setupJob(new JobContextImpl(conf, new JobID("20261129", 1)));
    Files.createDirectories(warehouse.resolve("table/p=1"));
    assertThat(delete(protocol)).isTrue();
    assertThat(warehouse.resolve("table")).doesNotExist();
  }

  @Test
  void nothingIsDeletedWithASparkThatCannotBeUsed() throws IOException {
    RadosCommitProtocol refused =
        new RadosCommitProtocol("job", table(), false) {
          private static final long serialVersionUID = 1L;

          @Override
          void requireRelease() {
            throw new IllegalStateException("another Spark");
          }
        };
    Files.createDirectories(warehouse.resolve("table/p=1"));
    assertThatThrownBy(() -> delete(refused)).hasMessage("another Spark");
    assertThat(warehouse.resolve("table/p=1")).exists();
  }
}
