// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JobGridTest {

  private final JobSize base = new JobSize(100, 0, 8, 2, 0);
  private final JobSize mixed = new JobSize(50, 5, 4, 1, 0);
  private final JobGrid grid =
      new JobGrid(
          base,
          Map.of(Term.FILES, List.of(50, 200), Term.EXECUTORS, List.of(1, 4)),
          List.of(mixed));

  @Test
  void aLineHasTheBaseInItsPlace() {
    assertThat(grid.lines().get(Term.FILES))
        .extracting(JobSize::files)
        .containsExactly(50, 100, 200);
    assertThat(grid.lines().get(Term.EXECUTORS))
        .containsExactly(base.with(Term.EXECUTORS, 1), base, base.with(Term.EXECUTORS, 4));
    assertThat(grid.lines()).doesNotContainKey(Term.TASKS);
  }

  @Test
  void eachSizeIsMeasuredOnce() {
    assertThat(grid.sizes()).hasSize(6).startsWith(base).endsWith(mixed);
    assertThat(grid.executors()).isEqualTo(4);
    assertThat(grid.files()).isEqualTo(100 + 50 + 200 + 100 + 100 + 50);
  }

  @Test
  void oneNumberIsChangedAndTheOthersStay() {
    for (Term term : Term.SIZES) {
      JobSize changed = base.with(term, 6);
      for (Term other : Term.SIZES) {
        assertThat(changed.of(other)).isEqualTo(other == term ? 6 : base.of(other));
      }
    }
  }

  @Test
  void itsTextLeavesOutWhatItHasNoneOf() {
    assertThat(base.text()).isEqualTo("100 files, 8 tasks, 2 executors");
    assertThat(mixed.with(Term.SHARDS, 16).text())
        .isEqualTo("50 files, 5 partitions, 4 tasks, 1 executor, 16 shards");
  }

  /** As the connector's limit of an operation says. */
  @Test
  void namesThatFitTheDecisionNeedNoIntents() {
    assertThat(base.of(Term.FILES_WITH_INTENTS)).isZero();
    assertThat(base.with(Term.PARTITIONS, 1).of(Term.FILES_WITH_INTENTS)).isEqualTo(100);
    assertThat(base.with(Term.SHARDS, 2).of(Term.FILES_WITH_INTENTS)).isEqualTo(100);
    assertThat(base.with(Term.FILES, 16_385).of(Term.FILES_WITH_INTENTS)).isEqualTo(16_385);
    assertThatThrownBy(() -> base.with(Term.FILES_WITH_INTENTS, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the number of files with intents follows from others");
  }

  @Test
  void anExecutorWithoutATaskIsRefused() {
    assertThatThrownBy(() -> new JobSize(100, 0, 2, 3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 executors for 2 tasks");
  }

  /** Six unknowns want more points, each term two places at least. */
  @Test
  void bothGridsDetermineAModelOfAllTerms() {
    for (JobGrid one : List.of(JobGrid.whole(), JobGrid.inShort())) {
      assertThat(one.lines()).containsOnlyKeys(Term.SIZES);
      assertThat(one.sizes()).hasSizeGreaterThan(2 + Term.SIZES.size());
      assertThat(one.executors()).isEqualTo(4);
    }
  }
}
