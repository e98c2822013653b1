// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

final class ScaleModelTest {

  private static final Set<Term> ALL = Set.copyOf(Term.SIZES);

  private static List<ScalePoint> points(JobGrid grid, ToDoubleFunction<JobSize> value) {
    return grid.sizes().stream()
        .map(size -> new ScalePoint(size, value.applyAsDouble(size)))
        .toList();
  }

  private static double linear(JobSize size) {
    return 31
        + 3 * size.files()
        + 2.5 * size.partitions()
        + 2 * size.tasks()
        + 4 * size.executors()
        + 6 * size.shards();
  }

  @Test
  void whatGrowsInStraightLinesIsFoundInBothGrids() {
    for (JobGrid grid : List.of(JobGrid.whole(), JobGrid.inShort())) {
      List<ScalePoint> points = points(grid, ScaleModelTest::linear);

      ScaleModel model = ScaleModel.of(points, ALL);

      assertThat(model.constant()).isCloseTo(31, within(1e-6));
      assertThat(model.each(Term.FILES)).isCloseTo(3, within(1e-6));
      assertThat(model.each(Term.PARTITIONS)).isCloseTo(2.5, within(1e-6));
      assertThat(model.each(Term.TASKS)).isCloseTo(2, within(1e-6));
      assertThat(model.each(Term.EXECUTORS)).isCloseTo(4, within(1e-6));
      assertThat(model.each(Term.SHARDS)).isCloseTo(6, within(1e-6));
      assertThat(model.largestDeviation(points)).isLessThan(1e-6);
      JobSize other = new JobSize(1_000_000, 1_000, 10_000, 100, 0);
      assertThat(model.at(other)).isCloseTo(linear(other), within(1e-3));
    }
  }

  @Test
  void whatGrowsOtherwiseDeviates() {
    List<ScalePoint> points =
        points(JobGrid.whole(), size -> Math.pow(size.files(), 2) + size.partitions());

    ScaleModel model = ScaleModel.of(points, ALL);

    assertThat(model.largestDeviation(points)).isGreaterThan(0.1);
  }

  /** An error of a tenth of a small point is not worth less than one of a large point. */
  @Test
  void itIsTheRelativeDeviationThatIsSmall() {
    List<ScalePoint> points =
        List.of(
            new ScalePoint(new JobSize(10, 0, 1, 1, 0), 11),
            new ScalePoint(new JobSize(20, 0, 1, 1, 0), 20),
            new ScalePoint(new JobSize(1_000, 0, 1, 1, 0), 1_000),
            new ScalePoint(new JobSize(2_000, 0, 1, 1, 0), 2_200));

    ScaleModel model = ScaleModel.of(points, ALL);

    assertThat(model.largestDeviation(points)).isLessThan(0.1);
  }

  @Test
  void aTermThatIsTheSameEverywhereIsLeftOut() {
    List<ScalePoint> points =
        List.of(
            new ScalePoint(new JobSize(10, 0, 4, 1, 0), 30),
            new ScalePoint(new JobSize(20, 0, 4, 1, 0), 60),
            new ScalePoint(new JobSize(30, 0, 4, 1, 0), 90));

    ScaleModel model = ScaleModel.of(points, ALL);

    assertThat(model.perUnit()).containsOnlyKeys(Term.FILES);
    assertThat(model.each(Term.TASKS)).isZero();
    assertThat(model.at(new JobSize(100, 7, 9, 2, 0))).isCloseTo(300, within(1e-6));
  }

  @Test
  void onlyTheTermsThatItMayGrowWithAreUsed() {
    List<ScalePoint> points = points(JobGrid.whole(), ScaleModelTest::linear);

    assertThat(ScaleModel.of(points, Set.of(Term.FILES, Term.TASKS)).perUnit())
        .containsOnlyKeys(Term.FILES, Term.TASKS);
  }

  @Test
  void tooFewPointsAreRefused() {
    List<ScalePoint> points =
        List.of(
            new ScalePoint(new JobSize(10, 0, 4, 1, 0), 30),
            new ScalePoint(new JobSize(20, 0, 5, 1, 0), 60));

    assertThatThrownBy(() -> ScaleModel.of(points, ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 points determine no model");
  }

  /** Files and tasks that always grow together: nothing tells whose the cost is. */
  @Test
  void pointsThatDetermineNothingAreRefused() {
    List<ScalePoint> points =
        List.of(
            new ScalePoint(new JobSize(1, 0, 1, 1, 0), 1),
            new ScalePoint(new JobSize(1, 0, 1, 1, 0), 1),
            new ScalePoint(new JobSize(2, 0, 2, 1, 0), 1),
            new ScalePoint(new JobSize(2, 0, 2, 1, 0), 1));

    assertThatThrownBy(() -> ScaleModel.of(points, ALL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNothingHasNoRelativeDeviation() {
    List<ScalePoint> points = List.of(new ScalePoint(new JobSize(1, 0, 1, 1, 0), 0));

    assertThatThrownBy(() -> ScaleModel.of(points, ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no relative deviation");
  }

  @Test
  void itsTextIsASum() {
    ScaleModel model =
        new ScaleModel(
            31.4,
            Map.of(Term.FILES, 3.0, Term.TASKS, -2.5, Term.SHARDS, 1e-14, Term.EXECUTORS, 1e-5));

    assertThat(model.text()).isEqualTo("31.40 + 3.00 × files − 2.50 × tasks + 1.0e-05 × executors");
  }
}
