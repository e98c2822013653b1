// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.util.List;
import java.util.Optional;

/**
 * Something measured.
 *
 * @param part of the benchmark
 * @param name says all that is needed to understand the value
 * @param unit empty for a ratio of two values of the same round
 * @param repeats a value for each round, in their order; at least one
 * @param point its place in a plot of lines; without one it is a bar
 */
public record Figure(
    String part,
    String name,
    String unit,
    List<Double> repeats,
    Optional<Goal> goal,
    Optional<Point> point) {

  public Figure {
    repeats = List.copyOf(repeats);
    if (repeats.isEmpty()) {
      throw new IllegalArgumentException(name + " was not measured");
    }
  }

  /** Whether it compares two things of one run. */
  public boolean isRatio() {
    return unit.isEmpty();
  }

  /**
   * Whether it is one of the many values that something had in the course of a run: they are for
   * plots, and for programs, and in no table.
   */
  public boolean isSample() {
    return point.map(Point::isOverTime).orElse(false);
  }

  public double median() {
    List<Double> sorted = repeats.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double min() {
    return repeats.stream().mapToDouble(v -> v).min().orElseThrow();
  }

  public double max() {
    return repeats.stream().mapToDouble(v -> v).max().orElseThrow();
  }

  /** From the smallest to the largest value, as a share of the median; 0 where that is 0. */
  public double spread() {
    double range = max() - min();
    return range == 0 || median() == 0 ? 0 : range / median();
  }

  /** Whether the median meets the goal, where there is one. */
  public Optional<Boolean> met() {
    return goal.map(one -> one.metBy(median()));
  }
}
