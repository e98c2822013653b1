// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table of writes: formats, layouts, and ways to append and to overwrite. Each is made on
 * rados:// and on a local file system, which must then hold the same rows. Each overwrite is made
 * to fail first, which must leave the old rows (I8); there the local file system, which loses them,
 * is no measure.
 */
class SparkTableWritesIT {

  private static final String DYNAMIC = "spark.sql.sources.partitionOverwriteMode";

  /** What a statement must do to a row to fail, once its task has written others. */
  private static final String FAILING = "if(id = %d, cast(raise_error('bad row') as bigint), id)";

  private static SparkOnCeph on;
  private static SparkSession spark;

  @TempDir static Path local;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    spark = on.spark;
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  /** How a table is laid out. */
  enum Layout {
    FLAT(""),
    PARTITIONED("partitioned by (k)"),
    NESTED("partitioned by (name, k)"),
    LOCATED("partitioned by (k)"),
    /** Partitions with locations of their own within the table. */
    LOCATED_WITHIN("partitioned by (k)"),
    BUCKETED("clustered by (id) sorted by (name) into 3 buckets"),
    PARTITIONED_BUCKETED("partitioned by (k) clustered by (id) sorted by (name) into 3 buckets");

    final String clause;

    Layout(String clause) {
      this.clause = clause;
    }

    boolean isPartitioned() {
      return clause.contains("partitioned");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "parquet, FLAT",
    "parquet, PARTITIONED",
    "parquet, LOCATED",
    "parquet, LOCATED_WITHIN",
    "parquet, BUCKETED",
    "parquet, PARTITIONED_BUCKETED",
    "orc, PARTITIONED",
    "orc, LOCATED",
    "csv, FLAT",
    "json, LOCATED"
  })
  void tablesHoldTheSameRows(String format, Layout layout) throws Exception {
    String name = format + "_" + layout.name().toLowerCase(java.util.Locale.ROOT);
    CatalogTable rados = CatalogTable.create("rados_" + name, on.uri(name), format, layout);
    CatalogTable other = CatalogTable.create("local_" + name, local.toUri() + name, format, layout);

    both(rados, other, "insert into %s select id, concat('r', id), id %% 4 from range(40)");
    both(rados, other, "insert into %s select id, concat('s', id), id %% 5 from range(40, 60)");
    if (layout.isPartitioned()) {
      overwrite(rados, other, "insert overwrite %s partition (k = 1) select ID, 'one'", 100, 104);
      spark.conf().set(DYNAMIC, "dynamic");
      try {
        overwrite(rados, other, "insert overwrite %s select ID, 'dynamic', 1 + id %% 2", 200, 206);
      } finally {
        spark.conf().unset(DYNAMIC);
      }
    }
    overwrite(rados, other, "insert overwrite %s select ID, 'all', 1 + id %% 3", 300, 320);
    overwrite(rados, other, "insert overwrite %s select ID, 'two', 2", 330, 334);
    both(rados, other, "insert into %s select id, 'last', id %% 4 from range(400, 408)");

    assertNothingIsLeft();
    assertThat(on.objects().dataObjectsBelow(name))
        .as("the old files' objects are deleted")
        .isEqualTo(on.files(name).size());
    rados.drop();
    other.drop();
  }

  /** A task writes several files of a partition one after another, or several at a time. */
  @ParameterizedTest
  @ValueSource(
      strings = {"spark.sql.files.maxRecordsPerFile", "spark.sql.maxConcurrentOutputFileWriters"})
  void tasksWriteSeveralFiles(String setting) throws Exception {
    String name = "several_" + setting.substring(setting.lastIndexOf('.') + 1);
    CatalogTable rados =
        CatalogTable.create("rados_" + name, on.uri(name), "parquet", Layout.PARTITIONED);
    CatalogTable other =
        CatalogTable.create("local_" + name, local.toUri() + name, "parquet", Layout.PARTITIONED);
    spark.conf().set(setting, "3");
    try {
      both(rados, other, "insert into %s select id, 'r', id %% 4 from range(0, 40, 1, 2)");
      overwrite(rados, other, "insert overwrite %s select ID, 'all', 1 + id %% 5", 300, 340);
    } finally {
      spark.conf().unset(setting);
    }
    assertNothingIsLeft();
    assertThat(on.objects().dataObjectsBelow(name)).isEqualTo(on.files(name).size());
    rados.drop();
    other.drop();
  }

  /** Of two partition columns one or both have a value in the statement. */
  @ParameterizedTest
  @ValueSource(strings = {"static", "dynamic"})
  void partitionsAreNamedInPart(String mode) throws Exception {
    String name = "in_part_" + mode;
    CatalogTable rados =
        CatalogTable.create("rados_" + name, on.uri(name), "parquet", Layout.NESTED);
    CatalogTable other =
        CatalogTable.create("local_" + name, local.toUri() + name, "parquet", Layout.NESTED);
    both(rados, other, "insert into %s select id, concat('r', id %% 3), id %% 4 from range(24)");
    spark.conf().set(DYNAMIC, mode);
    try {
      String inPart = "insert overwrite %s partition (name = 'r1', k) select ID, id %% 2";
      overwrite(rados, other, inPart, 100, 104);
      String none = " from range(4) where false";
      both(rados, other, "insert overwrite %s partition (name = 'r1', k = 1) select id" + none);
      both(rados, other, "insert overwrite %s partition (name = 'r2', k) select id, id" + none);
    } finally {
      spark.conf().unset(DYNAMIC);
    }
    assertNothingIsLeft();
    rados.drop();
    other.drop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "json"})
  void directoriesHoldTheSameRows(String format) {
    String name = "directory-" + format;
    String statement = "insert overwrite directory '%s' using " + format + " select ";
    for (int from = 0; from < 30; from += 20) {
      String rows =
          "id, concat('r', id) as name from range(" + from + ", " + (from + 10) + ", 1, 3)";
      spark.sql(String.format(statement, on.uri(name)) + rows);
      spark.sql(String.format(statement, local.toUri() + name) + rows);
      assertSameRows(read(format, on.uri(name)), read(format, local.toUri() + name));
      String bad =
          String.format(FAILING, from + 9) + " as id, 'bad' as name from range(0, 30, 1, 3)";
      assertFails(String.format(statement, on.uri(name)) + bad);
      assertSameRows(read(format, on.uri(name)), read(format, local.toUri() + name));
    }
    assertNothingIsLeft();
  }

  /** Of a job that failed while tasks were writing, the record stays for the collector. */
  private static void assertNothingIsLeft() {
    String collected = on.radosfs("gc", "--older-than", "0s");
    assertThat(on.objects().jobs()).isEmpty();
    String clean = on.radosfs("fsck", "--data");
  }

  private static Dataset<Row> read(String format, String uri) {
    return spark.read().schema("id bigint, name string").format(format).load(uri);
  }

  /** A table of a catalog, on one of the file systems. */
  private record CatalogTable(String name, String root) {

    static CatalogTable create(String name, String root, String format, Layout layout) {
      spark.sql(
          String.format(
              "create table %s (id bigint, name string, k bigint) using %s %s location '%s/table'",
              name, format, layout.clause, root));
      if (layout == Layout.LOCATED || layout == Layout.LOCATED_WITHIN) {
        String above = root + (layout == Layout.LOCATED ? "" : "/table/archive");
        spark.sql(
            String.format("alter table %s add partition (k = 1) location '%s/one'", name, above));
        spark.sql(
            String.format(
                "alter table %s add partition (k = 3) location '%s/3/deep'", name, above));
      }
      return new CatalogTable(name, root);
    }

    Dataset<Row> rows() {
      return spark.table(name).select("id", "name", "k");
    }

    void drop() {
      spark.sql("drop table " + name);
    }
  }

  private static void both(CatalogTable rados, CatalogTable other, String statement) {
    spark.sql(String.format(statement, rados.name()));
    spark.sql(String.format(statement, other.name()));
    assertSameRows(rados.rows(), other.rows());
  }

  /**
   * Overwrites both tables, and before makes that fail on rados://.
   *
   * @param statement with ID where it selects the id of a row
   */
  private static void overwrite(
      CatalogTable rados, CatalogTable other, String statement, int from, int to) {
    String rows = " from range(" + from + ", " + to + ", 1, 2)";
    String failing = String.format(statement, rados.name()) + rows;
    assertFails(failing.replace("ID", String.format(FAILING, to - 1)));
    assertSameRows(rados.rows(), other.rows());
    both(rados, other, statement.replace("ID", "id") + rows);
  }

  private static void assertFails(String statement) {
    assertThatThrownBy(() -> spark.sql(statement)).hasStackTraceContaining("bad row");
  }

  private static void assertSameRows(Dataset<Row> actual, Dataset<Row> expected) {
    List<Row> rows = expected.collectAsList();
    assertThat(rows).isNotEmpty();
    assertThat(actual.collectAsList()).containsExactlyInAnyOrderElementsOf(rows);
  }
}
