// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Goal;
import io.radosfs.bench.report.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gathers the figures of one part. The unit of a ratio is empty. */
final class Figures {

  private final String part;
  private final List<Figure> figures = new ArrayList<>();

  Figures(String part) {
    this.part = part;
  }

  /** A figure that is the better the larger it is. */
  void atLeast(String name, Samples samples, String unit, double goal) {
    add(name, samples, unit, Optional.of(Goal.atLeast(goal)), Optional.empty());
  }

  /** A figure that is the better the smaller it is. */
  void atMost(String name, Samples samples, String unit, double goal) {
    add(name, samples, unit, Optional.of(Goal.atMost(goal)), Optional.empty());
  }

  /** A figure without a goal. */
  void note(String name, Samples samples, String unit) {
    add(name, samples, unit, Optional.empty(), Optional.empty());
  }

  /** A figure without a goal that is part of a line. */
  void note(String name, Samples samples, String unit, Point point) {
    add(name, samples, unit, Optional.empty(), Optional.of(point));
  }

  private void add(
      String name, Samples samples, String unit, Optional<Goal> goal, Optional<Point> point) {
    figures.add(new Figure(part, name, unit, samples.values(), goal, point));
  }

  List<Figure> list() {
    return List.copyOf(figures);
  }
}
