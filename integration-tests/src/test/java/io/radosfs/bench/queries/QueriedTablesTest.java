// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.TpcdsTables;
import io.radosfs.workbench.TpchTables;
import java.io.IOException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The generated tables have what the queries ask for. */
@Tag("slow")
final class QueriedTablesTest {

  private static final double SCALE = 0.001;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void tpch() throws IOException {
    GeneratedTables tables = new TpchTables(spark, SCALE, 1);

    assertThat(tables.names()).hasSize(8);
    assertCanBeAsked(tables, new SparksQueries(SparksQueriesTest.SPARKS_TESTS, "tpch"));
    assertThat(tables.table("nation").count()).isEqualTo(25);
  }

  @Test
  void tpcds() throws IOException {
    GeneratedTables tables = new TpcdsTables(spark, SCALE, 2);

    assertThat(tables.names()).hasSize(24);
    assertCanBeAsked(tables, new SparksQueries(SparksQueriesTest.SPARKS_TESTS, "tpcds"));
    // Once, though two tasks generate it, with its nulls and dates.
    assertThat(tables.table("household_demographics").count()).isEqualTo(7_200);
    assertThat(tables.table("item").where("i_rec_end_date is null").count()).isPositive();
    assertThat(tables.table("date_dim").selectExpr("max(d_date)").first().getDate(0))
        .isEqualTo("2100-01-01");
  }

  private static void assertCanBeAsked(GeneratedTables tables, SparksQueries queries)
      throws IOException {
    for (String table : tables.names()) {
      tables.table(table).createOrReplaceTempView(table);
    }
    for (String query : queries.names()) {
      String text = queries.text(query);
      assertThatCode(() -> spark.sql(text)).as("query %s", query).doesNotThrowAnyException();
    }
  }
}
