// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.LoggedLines;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.store.simulation.OpLog;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.spark.Partition;
import org.apache.spark.metrics.source.HiveCatalogMetrics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real Spark jobs, with the one setting, over {@code rados://} on the simulation. */
@Tag("slow")
class SparkOnSimulationTest {

  private static final SimulatedCluster CLUSTER = SimulatedCluster.withPools("meta");
  private static SparkSession spark;

  @TempDir static Path warehouse;

  @BeforeAll
  static void start() {
    spark =
        SimulatedSpark.builder(CLUSTER, warehouse)
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.sources.commitProtocolClass", RadosCommitProtocol.class.getName())
            // What is replaced goes at once, so that all that is left in the pool can be compared.
            .config("spark.hadoop." + Options.REPLACED_RETENTION.key(), "0")
            .config("spark.hadoop.fs.rados.impl.disable.cache", "false")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> rows(long from, long to) {
    return spark.range(from, to, 1, 4).selectExpr("id", "id % 3 as k", "concat('r', id) as name");
  }

  private static List<String> fileNames(String directory) {
    return CLUSTER.objects("meta", "").keySet().stream()
        .filter(name -> name.startsWith(directory + "/") && name.contains("part-"))
        .collect(Collectors.toList());
  }

  private static void assertNothingOfJobs() {
    CLUSTER
        .objects("meta", "")
        .forEach(
            (name, object) -> {
              assertThat(name).doesNotContain("//job/").doesNotContain("__radosfs_work");
              assertThat(object.dataWrites()).as(name).isLessThanOrEqualTo(1);
              if (name.endsWith("/")) {
                assertThat(object.omap().keySet()).noneMatch(key -> key.matches("[jtpx]/.*"));
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "json", "csv", "text"})
  void everyFormatIsCommittedByTheOneSetting(String format) {
    String path = "rados://meta/formats/" + format;
    Dataset<Row> data = rows(0, 100);
    (format.equals("text") ? data.select("name") : data).write().format(format).save(path);
    assertThat(spark.read().format(format).load(path).count()).isEqualTo(100);
    assertThat(CLUSTER.objects("meta", "")).containsKey("formats/" + format + "/_SUCCESS");
    assertThat(fileNames("formats/" + format)).hasSize(4).allMatch(name -> !name.contains("//"));
    assertNothingOfJobs();
  }

  @Test
  void appendAddsAndOverwriteReplaces() {
    String path = "rados://meta/modes";
    rows(0, 10).write().partitionBy("k").parquet(path);
    rows(10, 20).write().partitionBy("k").mode(SaveMode.Append).parquet(path);
    assertThat(spark.read().parquet(path).count()).isEqualTo(20);
    rows(100, 107).where("k > 0").write().partitionBy("k").mode(SaveMode.Overwrite).parquet(path);
    assertThat(spark.read().parquet(path).where("id >= 100").count()).isEqualTo(5);
    assertThat(spark.read().parquet(path).count()).isEqualTo(5);
    assertNothingOfJobs();
  }

  @Test
  void dynamicOverwriteReplacesTheWrittenPartitions() {
    String path = "rados://meta/dynamic";
    rows(0, 30).write().partitionBy("k").parquet(path);
    rows(100, 110)
        .where("k = 1")
        .write()
        .partitionBy("k")
        .mode(SaveMode.Overwrite)
        .option("partitionOverwriteMode", "dynamic")
        .parquet(path);
    assertThat(spark.read().parquet(path).where("k = 1 and id < 100").count()).isZero();
    assertThat(spark.read().parquet(path).where("k = 1").count()).isEqualTo(4);
    assertThat(spark.read().parquet(path).where("k <> 1").count()).isEqualTo(20);
    assertNothingOfJobs();
  }

  @Test
  void aFailedOverwriteLeavesTheOldData() {
    String path = "rados://meta/failed";
    rows(0, 10).write().parquet(path);
    List<String> before = fileNames("failed");
    assertThatThrownBy(() -> wrong().write().mode(SaveMode.Overwrite).parquet(path))
        .hasStackTraceContaining("bad row");
    assertThat(spark.read().parquet(path).count()).isEqualTo(10);
    assertThat(fileNames("failed")).isEqualTo(before);
    assertNothingOfJobs();
  }

  /** In the mode that is Spark's default, which takes a directory that is there for a table. */
  @Test
  void aFirstJobThatFailedRunsAgain() {
    String path = "rados://meta/again/path";
    assertThatThrownBy(() -> wrong().write().parquet(path)).hasStackTraceContaining("bad row");
    rows(0, 1000).write().parquet(path);
    assertThat(spark.read().parquet(path).count()).isEqualTo(1000);

    spark.sql("create database again location 'rados://meta/again.db'");
    assertThatThrownBy(() -> wrong().write().partitionBy("k").saveAsTable("again.t"))
        .hasStackTraceContaining("bad row");
    rows(0, 1000).write().partitionBy("k").saveAsTable("again.t");
    assertThat(spark.table("again.t").count()).isEqualTo(1000);
    assertThat(fileNames("again.db/t")).isNotEmpty();
    spark.sql("drop database again cascade");
    assertNothingOfJobs();
  }

  /** By one task: another that still writes while the job is aborted leaves its record to gc. */
  private static Dataset<Row> wrong() {
    return rows(0, 1000)
        .coalesce(1)
        .selectExpr("if(id = 999, raise_error('bad row'), id) as id", "k", "name");
  }

  @Test
  void aStaticPartitionSpecReplacesThatPartition() {
    spark.sql(
        "create table t (id bigint, k bigint) using parquet partitioned by (k)"
            + " location 'rados://meta/table'");
    spark.sql("insert into t select id, id % 3 from range(30)");
    spark.sql("insert overwrite t partition (k = 1) select id from range(1000, 1002)");
    assertThat(spark.table("t").where("k = 1").count()).isEqualTo(2);
    assertThat(spark.table("t").count()).isEqualTo(22);
    assertNothingOfJobs();
  }

  /**
   * As connector/docs/semantics.md says: Spark's in-memory catalog makes the new directory, and
   * then renames the old one, which goes into a directory that is there, here as on HDFS.
   */
  @Test
  void aPartitionRenamedByTheInMemoryCatalogGoesBelowItsNewDirectory() throws Exception {
    spark.sql("create database renamed location 'rados://meta/renamed.db'");
    spark.sql("create table renamed.t (id bigint, k bigint) using parquet partitioned by (k)");
    spark.sql("insert into renamed.t values (1, 1)");
    spark.sql("alter table renamed.t partition (k = 1) rename to partition (k = 2)");
    assertThat(fileNames("renamed.db/t/k=1")).as("objects keep their names").isNotEmpty();
    org.apache.hadoop.fs.Path table = new org.apache.hadoop.fs.Path("rados://meta/renamed.db/t");
    org.apache.hadoop.fs.FileSystem fs = table.getFileSystem(spark.sessionState().newHadoopConf());
    assertThat(fs.exists(new org.apache.hadoop.fs.Path(table, "k=1"))).isFalse();
    assertThat(fs.listStatus(new org.apache.hadoop.fs.Path(table, "k=2/k=1"))).isNotEmpty();
    spark.sql("drop table renamed.t");
    spark.sql("drop database renamed");
  }

  @Test
  void partitionsAtLocationsOfTheirOwnAreCommittedWithTheTable() {
    spark.sql(
        "create table c (id bigint, k bigint) using parquet partitioned by (k)"
            + " location 'rados://meta/custom/table'");
    spark.sql("alter table c add partition (k = 1) location 'rados://meta/custom/one'");
    spark.sql("alter table c add partition (k = 2) location 'rados://meta/custom/table/two'");
    spark.sql("insert into c select id, id % 4 from range(40)");
    spark.sql("insert into c select id, id % 4 from range(40, 60)");
    assertThat(spark.table("c").count()).isEqualTo(60);
    assertThat(fileNames("custom/one")).isNotEmpty().allMatch(name -> !name.contains("//"));
    assertThat(fileNames("custom/table/k=1")).isEmpty();
    assertThat(fileNames("custom/table/two")).isNotEmpty();

    spark.sql("insert overwrite c partition (k = 1) select id from range(100, 103)");
    assertThat(spark.table("c").where("k = 1").count()).isEqualTo(3);
    assertThat(spark.table("c").count()).isEqualTo(48);
    spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
    try {
      spark.sql("insert overwrite c select id, 1 + id % 2 from range(200, 204)");
    } finally {
      spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
    }
    assertThat(spark.table("c").where("k in (1, 2)").count()).isEqualTo(4);
    assertThat(spark.table("c").count()).isEqualTo(34);
    assertThatThrownBy(
            () -> spark.sql("insert overwrite c select raise_error('bad row'), 1 from range(9)"))
        .hasStackTraceContaining("bad row");
    assertThat(spark.table("c").count()).isEqualTo(34);
    spark.sql("insert overwrite c select id, 0 from range(2)");
    assertThat(spark.table("c").count()).isEqualTo(2);
    assertThat(fileNames("custom")).hasSameSizeAs(spark.table("c").inputFiles());
    assertNothingOfJobs();
  }

  /** To replace what is there would be to replace the table; to add to it would double its rows. */
  @Test
  void aPartitionAtTheTablesOwnDirectoryIsNotOverwrittenDynamically() {
    spark.sql(
        "create table r (id bigint, k bigint) using parquet partitioned by (k)"
            + " location 'rados://meta/root/table'");
    spark.sql("alter table r add partition (k = 1) location 'rados://meta/root/table'");
    spark.sql("insert into r values (1, 1)");
    List<String> before = fileNames("root/table");
    spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
    try {
      assertThatThrownBy(() -> spark.sql("insert overwrite r values (2, 1)"))
          .hasStackTraceContaining("the directory of the table itself");
    } finally {
      spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
    }
    assertThat(fileNames("root/table")).isEqualTo(before).hasSize(1);
    assertNothingOfJobs();
  }

  @Test
  void otherFileSystemsAreCommittedBySparksOwnProtocol(@TempDir Path local) throws Exception {
    String path = local.resolve("out").toUri().toString();
    rows(0, 10).write().parquet(path);
    rows(0, 10).write().mode(SaveMode.Overwrite).parquet(path);
    assertThat(spark.read().parquet(path).count()).isEqualTo(10);
    assertThat(Files.size(local.resolve("out/_SUCCESS"))).isZero();
  }

  /** The partitions are more than Spark lists on the driver, so that statuses are serialized. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tasksArePreferredNearTheirBlocksUnlessLocalityIsIgnored(boolean ignored) {
    String pool = ignored ? "far" : "near";
    CLUSTER.addReplicatedPool(pool).setHosts("machine-a");
    String path = "rados://" + pool + "/table";
    rows(0, 30).write().partitionBy("k").parquet(path);
    spark.conf().set("spark.sql.sources.ignoreDataLocality", ignored);
    spark.conf().set("spark.sql.sources.parallelPartitionDiscovery.threshold", "1");
    long jobs = HiveCatalogMetrics.METRIC_PARALLEL_LISTING_JOB_COUNT().getCount();
    int asked = CLUSTER.monitorCommands();
    try {
      assertThat(preferredHosts(spark.read().parquet(path)))
          .isEqualTo(ignored ? Set.of() : Set.of("machine-a"));
    } finally {
      spark.conf().unset("spark.sql.sources.ignoreDataLocality");
      spark.conf().unset("spark.sql.sources.parallelPartitionDiscovery.threshold");
      CLUSTER.setHosts("localhost");
    }
    assertThat(HiveCatalogMetrics.METRIC_PARALLEL_LISTING_JOB_COUNT().getCount() - jobs)
        .as("listings by a job")
        .isEqualTo(1);
    assertThat(CLUSTER.monitorCommands() - asked)
        .as("questions to the monitors")
        .matches(commands -> ignored ? commands == 0 : commands > 0);
  }

  private static Set<String> preferredHosts(Dataset<Row> data) {
    RDD<?> rdd = data.queryExecution().toRdd();
    Set<String> hosts = new TreeSet<>();
    for (Partition partition : rdd.partitions()) {
      rdd.context()
          .getPreferredLocs(rdd, partition.index())
          .foreach(location -> hosts.add(location.host()));
    }
    return hosts;
  }

  @Test
  void summaryFilesOfParquetAreWarnedOf() {
    assertThat(
            LoggedLines.of(
                Level.WARN,
                List.of(ParquetSummaries.class.getName()),
                () ->
                    rows(0, 10)
                        .write()
                        .option("parquet.summary.metadata.level", "ALL")
                        .parquet("rados://meta/summary")))
        .hasLineCount(1)
        .startsWith("WARN rados://meta/summary: no summary files of Parquet are written:")
        .contains("parquet.summary.metadata.level = ALL has no effect with this committer");
    assertThat(CLUSTER.objects("meta", "")).doesNotContainKey("summary/_metadata");
  }

  @Test
  void noDataIsReadDuringTheCommit() {
    int from = CLUSTER.log().size();
    rows(0, 100).write().parquet("rados://meta/unread");
    List<OpLog.LoggedOp> log = CLUSTER.log().entries();
    assertThat(log.subList(from, log.size()))
        .filteredOn(entry -> !entry.op().write() && entry.op().object().contains("part-"))
        .isEmpty();
  }
}
