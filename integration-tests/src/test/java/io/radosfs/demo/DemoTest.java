// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.TpchData;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo on a local directory: what it generates, asks, compares and shows. */
class DemoTest {

  private static final double SCALE = 0.01;

  private static SparkSession spark;

  @TempDir Path directory;

  @BeforeAll
  static void startSpark() {
    spark = SparkSessions.local("2", null);
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @Test
  void showsWritesAndEqualAnswers() throws Exception {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    new DemoRun(spark, directory.toUri(), SCALE, null, false, new PrintStream(shown), false).run();
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("lineitem as ORC by l_shipmode", "60,175", "All answers are equal.");
    try (var partitions = Files.list(directory.resolve("lineitem-orc"))) {
      assertThat(partitions.map(p -> p.getFileName().toString()))
          .contains("l_shipmode=REG AIR", "l_shipmode=MAIL");
    }
  }

  /** The published answer for this scale, so that the generator is TPC-H's and not just itself. */
  @Test
  void answersQ1AsTpchSays() {
    TpchData data = new TpchData(spark, SCALE, 3);
    List<String> answer = Query.lines(Query.Q1.on(spark, data.orders(), data.lineitem()));
    assertThat(answer).hasSize(4);
    assertThat(answer.get(0))
        .startsWith("A | F | 380456.00 | 532348211.65 | 505822441.4861 | 526165934.000839 | ")
        .endsWith(" | 14876");
  }

  @Test
  void checksumsTellTablesApart() {
    TpchData data = new TpchData(spark, SCALE, 2);
    Dataset<Row> orders = data.orders();
    List<String> whole = Query.lines(Query.ALL_ORDERS.on(spark, orders, data.lineitem()));
    Dataset<Row> changed =
        orders.selectExpr(
            "o_orderkey",
            "o_custkey",
            "o_orderstatus",
            "o_totalprice",
            "o_orderdate",
            "o_orderpriority",
            "o_clerk",
            "o_shippriority",
            "if(o_orderkey = 1, '', o_comment) AS o_comment");
    assertThat(Query.lines(Query.ALL_ORDERS.on(spark, changed, data.lineitem())))
        .isNotEqualTo(whole);
    assertThat(Query.lines(Query.ALL_ORDERS.on(spark, orders.repartition(5), data.lineitem())))
        .isEqualTo(whole);
  }

  @Test
  void refusesObjectsThatAreNotTheFiles() throws Exception {
    ObjectCheck same = check(Set.of("d/a", "d/b"), Set.of("d/a", "d/b"), 1_000_000);
    same.requireFinalNames();
    same.requireNoCopies(new OsdCounters(2, 1_000_000, 0, 0));
    assertThatThrownBy(() -> same.requireNoCopies(new OsdCounters(2, 1_100_000, 0, 0)))
        .isInstanceOf(UnequalException.class)
        .hasMessageContaining("1,100,000");
    assertThatThrownBy(() -> check(Set.of("d/a"), Set.of("d/tmp"), 0).requireFinalNames())
        .isInstanceOf(UnequalException.class)
        .hasMessageContaining("d/a")
        .hasMessageContaining("d/tmp");
  }

  /** What an earlier, killed job has left is told, and does not make the demo fail. */
  @Test
  void objectsThatWereThereBeforeAreNoFault() throws Exception {
    Files.createDirectory(directory.resolve("d"));
    Files.write(directory.resolve("d/a"), new byte[10]);
    String at = directory.resolve("d").toString().substring(1) + "/";
    List<String> objects = List.of(at, at + "a", at + "left", at + "taken//~0123", "other/b");
    FileSystem local = FileSystem.getLocal(new Configuration());
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory + "/d");
    ObjectCheck check =
        ObjectCheck.of(local, path, objects, Set.of(at + "a", at + "left", at + "taken//~0123"));
    check.requireFinalNames();
    assertThat(check.earlier()).containsExactly(at + "left", at + "taken//~0123");
    ObjectCheck none = ObjectCheck.of(local, path, objects, Set.of());
    assertThatThrownBy(none::requireFinalNames)
        .isInstanceOf(UnequalException.class)
        .hasMessageContaining("left");
  }

  private static ObjectCheck check(Set<String> files, Set<String> data, long bytes) {
    return new ObjectCheck(
        "d/", new TreeSet<>(files), new TreeSet<>(data), List.of(), new TreeSet<>(), bytes);
  }
}
