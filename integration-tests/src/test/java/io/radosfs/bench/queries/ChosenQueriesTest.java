// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ChosenQueriesTest {

  private final List<String> all = List.of("1", "2", "14a", "14b");

  @Test
  void allIfNothingIsSaid() {
    assertThat(new ChosenQueries(null).areAll()).isTrue();
    assertThat(new ChosenQueries(null).of(all)).isEqualTo(all);
  }

  @Test
  void thoseThatAreNamedInTheOrderOfTheSuite() {
    assertThat(new ChosenQueries("14b, 1").areAll()).isFalse();
    assertThat(new ChosenQueries("14b, 1").of(all)).containsExactly("1", "14b");
  }

  /** "14" alone would be taken for 14a and 14b by some, and for nothing by others. */
  @Test
  void aQueryThatIsNotOfTheSuiteIsRefusedWithAllThatAre() {
    assertThatThrownBy(() -> new ChosenQueries("1,14").of(all))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no query '14'")
        .hasMessageContaining("14a");
  }
}
