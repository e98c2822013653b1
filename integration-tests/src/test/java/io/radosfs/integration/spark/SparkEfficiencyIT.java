// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.works.JobData;
import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.SparkSessions;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a job costs, as the OSDs count it: data once, at its final name, and a little index. */
class SparkEfficiencyIT {

  private static final int STRIPE = 4 << 20;

  private static SparkOnCeph on;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @BeforeEach
  void watchCommits() {
    on.spark.conf().set(SparkSessions.PROTOCOL_SETTING, WatchedCommitProtocol.class.getName());
  }

  @AfterEach
  void leaveCommits() {
    on.spark.conf().set(SparkSessions.PROTOCOL_SETTING, SparkSessions.PROTOCOL);
  }

  @Test
  void dataIsWrittenOnceAndAtItsFinalName() throws Exception {
    OsdWatch watch = new OsdWatch(on.ceph);
    random(64, 4).write().parquet(on.uri("once"));
    OsdCounters written = watch.counted();

    long bytes = on.bytes("once");
    assertThat(bytes).isGreaterThan(64 << 20);
    assertThat(written.bytesWritten())
        .as("data sent to the OSDs for %s bytes of files", bytes)
        .isLessThanOrEqualTo((long) (1.02 * bytes));

    TreeSet<String> files = on.files("once");
    PoolObjects objects = on.objects();
    assertThat(objects.firstStripesBelow("once")).isEqualTo(files);
    assertThat(objects.renamedStripes()).noneMatch(name -> name.startsWith("once/"));
    long stripes = 0;
    for (FileStatus file : on.dataFiles("once")) {
      stripes += (file.getLen() + STRIPE - 1) / STRIPE;
    }
    assertThat(objects.dataObjectsBelow("once")).isEqualTo(stripes + 1);
    assertThat(objects.jobs()).isEmpty();
  }

  @Test
  void anOverwriteWritesNoMore() throws Exception {
    random(16, 4).write().parquet(on.uri("again"));
    OsdWatch watch = new OsdWatch(on.ceph);
    random(16, 4).write().mode("overwrite").parquet(on.uri("again"));
    long bytes = on.bytes("again");
    assertThat(watch.counted().bytesWritten()).isLessThanOrEqualTo((long) (1.02 * bytes));
    assertThat(on.objects().dataObjectsBelow("again")).isEqualTo(4 * 2 + 1);
  }

  @Test
  void commitJobReadsAndWritesNoData() throws Exception {
    random(32, 8).write().parquet(on.uri("commit"));
    OsdCounters commit = WatchedCommitProtocol.ofCommitJob();
    assertThat(commit.bytesRead()).isLessThan(64 << 10);
    assertThat(commit.bytesWritten()).isLessThan(64 << 10);
  }

  @Test
  void commitJobOverPartitionsReadsAndWritesNoData() throws Exception {
    random(32, 2)
        .selectExpr("value", "pmod(hash(value), 50) AS p")
        .write()
        .partitionBy("p")
        .parquet(on.uri("commit-partitions"));
    assertThat(on.dataFiles("commit-partitions")).hasSize(100);
    OsdCounters commit = WatchedCommitProtocol.ofCommitJob();
    assertThat(commit.bytesRead()).isLessThan(512 << 10);
    assertThat(commit.bytesWritten()).isLessThan(512 << 10);
    assertThat(on.objects().firstStripesBelow("commit-partitions"))
        .isEqualTo(on.files("commit-partitions"));
  }

  /** The directory of the files is changed by one operation, however many files there are. */
  @Test
  void committingOneDirectoryTakesAsManyWritesForManyFilesAsForFew() {
    on.spark.range(0, 100, 1, 4).write().parquet(on.uri("few"));
    OsdCounters few = WatchedCommitProtocol.ofCommitJob();
    on.spark.range(0, 100, 1, 60).write().parquet(on.uri("many"));
    OsdCounters many = WatchedCommitProtocol.ofCommitJob();
    assertThat(few.writes()).isLessThanOrEqualTo(20);
    assertThat(many.writes()).isLessThanOrEqualTo(few.writes() + 1);
  }

  /** Rows that no codec makes smaller. */
  private static Dataset<Row> random(int mib, int files) {
    return new JobData(on.spark).incompressible(mib, files);
  }
}
