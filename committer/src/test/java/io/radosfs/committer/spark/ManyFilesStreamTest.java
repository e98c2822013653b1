// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.store.simulation.OpLog;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.util.SizeEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.Seq;

/**
 * A stream's source of many small files. In each batch every file is a path, of whose list Spark
 * estimates the size by walking what a status reaches: that took minutes for 10,000 files.
 */
@Tag("slow")
class ManyFilesStreamTest {

  private static final int FILES = 2000;
  private static final int ESTIMATED = 20;

  /** In a pool of its own: Hadoop's cache of file systems may have those of other simulations. */
  private static final String SOURCE = "rados://stream/lines";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("stream");
  private SparkSession spark;

  @TempDir Path folder;

  @BeforeEach
  void start() {
    spark =
        SimulatedSpark.builder(cluster, folder)
            .config("spark.sql.sources.commitProtocolClass", RadosCommitProtocol.class.getName())
            .config("spark.hadoop.fs.rados.impl.disable.cache", "false")
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private static byte[] line(int number) {
    return ("line " + number + "\n").getBytes(UTF_8);
  }

  private void writeSource() throws Exception {
    org.apache.hadoop.fs.Path source = new org.apache.hadoop.fs.Path(SOURCE);
    FileSystem fs = source.getFileSystem(spark.sessionState().newHadoopConf());
    for (int i = 0; i < FILES; i++) {
      try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(source, "f" + i))) {
        out.write(line(i));
      }
    }
  }

  @Test
  void aBatchOfManyFilesIsListedInFewOperationsAndItsListIsSmall() throws Exception {
    writeSource();
    int from = cluster.log().size();
    StreamingQuery query =
        spark
            .readStream()
            .text(SOURCE)
            .writeStream()
            .format("parquet")
            .option("checkpointLocation", folder.resolve("checkpoint").toUri().toString())
            .trigger(Trigger.AvailableNow())
            .start(folder.resolve("out").toUri().toString());
    query.awaitTermination();
    List<OpLog.LoggedOp> log = cluster.log().entries();
    List<OpLog.LoggedOp> batch = log.subList(from, log.size());
    assertThat(spark.read().parquet(folder.resolve("out").toUri().toString()).distinct().count())
        .isEqualTo(FILES);
    assertThat(batch).filteredOn(ManyFilesStreamTest::isOfData).hasSizeGreaterThanOrEqualTo(FILES);
    assertThat(batch)
        .as("listings, of 1024 entries at a time")
        .filteredOn(ManyFilesStreamTest::isOfTheList)
        .hasSizeBetween(2, 20);

    Path local = Files.createDirectory(folder.resolve("lines"));
    for (int i = 0; i < FILES; i++) {
      Files.write(local.resolve("f" + i), line(i));
    }
    assertThat(estimates(SOURCE)).isLessThan(2 * estimates(local.toUri().toString()));
  }

  /** Of some of the files, each alone, as Spark's cache estimates the list of each path. */
  private long estimates(String source) {
    Seq<FileStatus> files = listed(source);
    long sum = 0;
    for (int i = 0; i < ESTIMATED; i++) {
      sum += SizeEstimator.estimate(new FileStatus[] {files.apply(i)});
    }
    return sum;
  }

  private static boolean isOfData(OpLog.LoggedOp entry) {
    return entry.op().object().startsWith("lines/f");
  }

  private static boolean isOfTheList(OpLog.LoggedOp entry) {
    return entry.op().object().equals("lines/") && entry.op().toString().contains("prefix 'e/'");
  }

  /** Spark's list of the files, by the class that lists those of a stream's source too. */
  private Seq<FileStatus> listed(String source) {
    LogicalRelation relation =
        (LogicalRelation) spark.read().text(source).queryExecution().analyzed();
    Seq<FileStatus> files =
        ((PartitioningAwareFileIndex) ((HadoopFsRelation) relation.relation()).location())
            .allFiles();
    assertThat(files.size()).isEqualTo(FILES);
    return files;
  }
}
