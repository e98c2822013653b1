// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class SparksQueriesTest {

  /** Where the build puts it. */
  public static final Path SPARKS_TESTS = Path.of("target/spark-tests/spark-sql-tests.jar");

  /** Four of TPC-DS's 99 are two each. */
  @ParameterizedTest
  @CsvSource({"tpch, 22, 22", "tpcds, 103, 99"})
  void sparksTestsHaveAllOfThem(String folder, int count, String last) throws IOException {
    SparksQueries queries = new SparksQueries(SPARKS_TESTS, folder);

    assertThat(queries.names()).hasSize(count).startsWith("1", "2", "3").endsWith(last);
    for (String name : queries.names()) {
      assertThat(queries.text(name)).as("query %s", name).containsIgnoringCase("select");
    }
  }

  @Test
  void aJarWithoutThemIsNamed() {
    assertThatThrownBy(() -> new SparksQueries(SPARKS_TESTS, "tpch").text("23"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark-sql-tests.jar has no tpch/q23.sql");
    assertThatThrownBy(() -> new SparksQueries(SPARKS_TESTS, "nothing").names())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark-sql-tests.jar has no nothing/q1.sql");
  }
}
