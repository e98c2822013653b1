// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class TpchQueriesTest {

  /** Where the build puts it. */
  private static final Path SPARKS_TESTS = Path.of("target/spark-tests/spark-sql-tests.jar");

  @Test
  void sparksTestsHaveAllOfThem() throws IOException {
    TpchQueries queries = new TpchQueries(SPARKS_TESTS);

    for (int number = 1; number <= TpchQueries.COUNT; number++) {
      assertThat(queries.text(number)).as("query %d", number).contains("select", "from");
    }
  }

  @Test
  void aJarWithoutThemIsNamed() {
    TpchQueries queries = new TpchQueries(SPARKS_TESTS);

    assertThatThrownBy(() -> queries.text(TpchQueries.COUNT + 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spark-sql-tests.jar has no tpch/q23.sql");
  }
}
