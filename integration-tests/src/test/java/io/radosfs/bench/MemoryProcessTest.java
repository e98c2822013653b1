// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.MemoryProcess.Outcome;
import io.radosfs.bench.memory.MemoryKind;
import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySetting;
import io.radosfs.bench.memory.MemoryTask;
import io.radosfs.bench.memory.QueryRun;
import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.queries.SparksQueriesTest;
import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The process that measures, on the local disk: what it asks needs no cluster. */
@Tag("slow")
@EnabledIfSystemProperty(
    named = "radosfs.deep",
    matches = "true",
    disabledReason = "it starts two processes of Spark, a minute for a part of the benchmark alone")
final class MemoryProcessTest {

  private static final double SCALE = 0.001;
  private static final List<String> TABLES = List.of("lineitem", "orders");

  @TempDir static Path directory;

  private final List<String> told = new ArrayList<>();

  @BeforeAll
  static void writeTables() throws IOException {
    try (SparkSession spark = SparkSessions.local("1", null)) {
      GeneratedTables tables = QuerySuite.TPCH.tables(spark, SCALE);
      AskedTables asked =
          new AskedTables(
              spark,
              new org.apache.hadoop.fs.Path(directory.toUri()),
              TABLES,
              QuerySuite.TPCH.queries(SparksQueriesTest.SPARKS_TESTS));
      TABLES.forEach(table -> asked.write(tables, table));
    }
  }

  private Outcome run(MemorySetting setting, String... queries) throws Exception {
    return new MemoryProcess(told::add)
        .run(
            setting,
            new MemoryTask(
                "",
                directory.toUri().toString(),
                TABLES,
                SparksQueriesTest.SPARKS_TESTS.toAbsolutePath().toString(),
                QuerySuite.TPCH.toString(),
                List.of(queries)));
  }

  /** The second query asks for a table that is not there. */
  @Test
  void queriesAreAnsweredOrHaveAReason() throws Exception {
    MemorySetting setting = new MemorySetting(768, 64);

    Outcome outcome = run(setting, "4", "11");

    assertThat(outcome.ended()).isEqualTo("ended well");
    MemoryRun run = outcome.run().orElseThrow();
    QueryRun query = run.answered().get("4");
    assertThat(query.rows()).hasSize(5).allMatch(row -> row.matches("[1-5]-.*,\\d+"));
    assertThat(query.seconds()).isPositive();
    assertThat(query.shuffled().written()).isPositive();
    assertThat(query.shuffled().read()).isPositive();
    assertThat(run.answered()).containsOnlyKeys("4");
    assertThat(run.failed()).containsOnlyKeys("11");
    assertThat(run.failed().get("11")).contains("TABLE_OR_VIEW_NOT_FOUND");
    assertThat(run.samples()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(run.peak(MemoryKind.HEAP)).isBetween(1L << 20, 768L << 20);
    assertThat(run.peak(MemoryKind.RESIDENT)).isGreaterThan(run.peak(MemoryKind.HEAP) / 2);
    assertThat(run.peak(MemoryKind.STREAM_BUFFERS)).isZero();
    // A line each time that one is done.
    assertThat(told).hasSize(4);
    assertThat(told.get(0)).startsWith("warm-up, query 4: ");
    assertThat(told.get(3)).isEqualTo("query 11 failed before");
  }

  @Test
  void aProcessThatCannotStartSparkHasNoRun() throws Exception {
    // Less than Spark takes.
    Outcome outcome = run(new MemorySetting(128, 0), "4");

    assertThat(outcome.run()).isEmpty();
    assertThat(outcome.ended()).isEqualTo("ended with status 1: see above");
    assertThat(told).isEmpty();
  }
}
