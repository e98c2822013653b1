// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FigureTest {

  private static Figure of(Optional<Goal> goal, Double... repeats) {
    return new Figure("part", "name", "", Arrays.asList(repeats), goal, Optional.empty());
  }

  @Test
  void theMedianOfAnOddNumberIsTheMiddleOne() {
    assertThat(of(Optional.empty(), 9.0, 1.0, 2.0).median()).isEqualTo(2);
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    assertThat(of(Optional.empty(), 9.0, 1.0, 2.0, 4.0).median()).isEqualTo(3);
  }

  @Test
  void theSpreadIsTheRangeInMedians() {
    Figure figure = of(Optional.empty(), 4.0, 2.0, 3.0);

    assertThat(figure.min()).isEqualTo(2);
    assertThat(figure.max()).isEqualTo(4);
    assertThat(figure.spread()).isEqualTo(2 / 3.0);
  }

  @Test
  void theRepeatsKeepTheirOrder() {
    assertThat(of(Optional.empty(), 4.0, 2.0, 3.0).repeats()).containsExactly(4.0, 2.0, 3.0);
  }

  @Test
  void itIsTheMedianThatMeetsAGoal() {
    assertThat(of(Optional.of(Goal.atLeast(2)), 1.0, 2.0, 9.0).met()).contains(true);
    assertThat(of(Optional.of(Goal.atLeast(2.1)), 1.0, 2.0, 9.0).met()).contains(false);
    assertThat(of(Optional.of(Goal.atMost(2)), 1.0, 2.0, 9.0).met()).contains(true);
    assertThat(of(Optional.of(Goal.atMost(1.9)), 1.0, 2.0, 9.0).met()).contains(false);
    assertThat(of(Optional.empty(), 1.0).met()).isEmpty();
  }

  @Test
  void whatWasNotMeasuredIsNoFigure() {
    assertThatThrownBy(() -> of(Optional.empty())).hasMessageContaining("not measured");
  }

  @Test
  void valuesThatAreAllZeroHaveNoSpread() {
    assertThat(of(Optional.empty(), 0.0, 0.0).spread()).isZero();
  }

  @Test
  void valuesThatAreMostlyZeroHaveNoSpread() {
    assertThat(of(Optional.empty(), 0.0, 0.0, 5.0).spread()).isZero();
  }

  @Test
  void aPointInTimeIsASample() {
    assertThat(at(Point.SECONDS).isSample()).isTrue();
    assertThat(at("object size, MiB").isSample()).isFalse();
    assertThat(of(Optional.empty(), 1.0).isSample()).isFalse();
  }

  private static Figure at(String axis) {
    Point point = new Point("plot", "series", axis, 1);
    return new Figure("part", "name", "MiB", List.of(1.0), Optional.empty(), Optional.of(point));
  }
}
