// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.upkeep.Finding;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FindingsTest {

  /** Whoever is told of one finds there what to do. */
  @Test
  void eachKindIsExplained() {
    String table =
        Repository.page("connector/docs/garbage-collection.md").split("\\| finding \\|")[1];
    assertThat(
            Pattern.compile("`([A-Z]+)`")
                .matcher(table.split("\n\n")[0])
                .results()
                .map((MatchResult kind) -> kind.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Finding.Kind.values()).map(Enum::name).toList());
  }
}
