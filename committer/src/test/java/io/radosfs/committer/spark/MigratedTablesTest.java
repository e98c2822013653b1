// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables whose files were copied: the SQL of the page on migration. */
@Tag("slow")
class MigratedTablesTest {

  private static final List<String> SQL =
      Pattern.compile("(?m)^    ((?:ALTER|CREATE|MSCK) [^;]*);$")
          .matcher(Repository.page("connector/docs/migration.md"))
          .results()
          .map(statement -> statement.group(1))
          .toList();

  @TempDir Path folder;
  private SparkSession spark;

  @BeforeEach
  void start() {
    spark =
        SimulatedSpark.builder(SimulatedCluster.withPools("lake"), folder.resolve("warehouse"))
            .config("spark.sql.sources.commitProtocolClass", RadosCommitProtocol.class.getName())
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private static String statement(String part) {
    List<String> found = SQL.stream().filter(sql -> sql.contains(part)).toList();
    assertThat(found).as(part).hasSize(1);
    return found.get(0);
  }

  private long count(String table) {
    return spark.sql("SELECT * FROM " + table).count();
  }

  @Test
  void theCatalogLearnsTheNewPlaces() throws Exception {
    assertThat(SQL).hasSize(4);
    spark.sql("CREATE TABLE plain USING parquet AS SELECT id FROM range(7)");
    spark.sql(
        "CREATE TABLE sales USING parquet PARTITIONED BY (day)"
            + " AS SELECT id, if(id < 4, 'mon', 'tue') AS day FROM range(10)");
    Path old = folder.resolve("warehouse");
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    var lake = new org.apache.hadoop.fs.Path("rados://lake/warehouse");
    assertThat(
            FileUtil.copy(
                FileSystem.getLocal(conf),
                new org.apache.hadoop.fs.Path(old.toUri()),
                lake.getFileSystem(conf),
                lake,
                false,
                conf))
        .isTrue();

    spark.sql(statement("TABLE plain"));
    spark.sql(statement("CREATE TABLE sales2"));
    assertThat(count("sales2")).isZero();
    spark.sql(statement("MSCK"));
    spark.sql(statement("PARTITION (day='mon')"));
    // What is read now is the copy.
    FileUtil.fullyDelete(old.resolve("plain").toFile());
    FileUtil.fullyDelete(old.resolve("sales/day=mon").toFile());
    assertThat(count("plain")).isEqualTo(7);
    assertThat(count("sales2")).isEqualTo(10);
    assertThat(count("sales")).isEqualTo(10);
    spark.sql("INSERT INTO plain SELECT id FROM range(3)");
    spark.sql("INSERT OVERWRITE sales2 PARTITION (day = 'tue') SELECT id FROM range(2)");
    assertThat(count("plain")).isEqualTo(10);
    assertThat(count("sales2")).isEqualTo(6);
    assertThat(Files.exists(old.resolve("plain"))).isFalse();
  }
}
