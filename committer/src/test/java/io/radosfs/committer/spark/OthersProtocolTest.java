// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
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

  private static final class Hidden extends BindingPathOutputCommitter {
    Hidden(org.apache.hadoop.fs.Path outputPath, TaskAttemptContext context) throws IOException {
      super(outputPath, withHadoopsOwn(context));
    }

    private static TaskAttemptContext withHadoopsOwn(TaskAttemptContext context) {
      context
          .getConfiguration()
          .set(
              PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS,
              PathOutputCommitterFactory.FILE_COMMITTER_FACTORY);
      return context;
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

  /** It would leave the rows of both, and succeed. */
  @Test
  void aDynamicOverwriteByAnotherCommitterIsRefusedAndChangesNothing() {
    write(0, SaveMode.Append);
    spark.conf().set("mapreduce.outputcommitter.factory.scheme.file", OtherFactory.class.getName());
    assertThatThrownBy(() -> write(100, SaveMode.Overwrite))
        .hasStackTraceContaining("it would add the new rows and keep the old ones")
        .hasStackTraceContaining("spark-hadoop-cloud");
    assertThat(spark.read().orc(table()).count()).isEqualTo(10);
    assertThat(spark.read().orc(table()).where("id >= 100").count()).isZero();
  }
}
