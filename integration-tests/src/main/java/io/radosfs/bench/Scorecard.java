// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All figures, each with its goal. */
final class Scorecard {

  private record Line(String figure, String measured, String range, String goal, String met) {}

  private final List<Line> lines = new ArrayList<>();

  /** A figure that is the better the larger it is. */
  void atLeast(String figure, Samples samples, String unit, double goal) {
    add(figure, samples, unit, "≥ " + number(goal) + unit, samples.median() >= goal);
  }

  /** A figure that is the better the smaller it is. */
  void atMost(String figure, Samples samples, String unit, double goal) {
    add(figure, samples, unit, "≤ " + number(goal) + unit, samples.median() <= goal);
  }

  /** A figure without a goal. */
  void note(String figure, Samples samples, String unit) {
    add(figure, samples, unit, "", null);
  }

  private void add(String figure, Samples samples, String unit, String goal, Boolean met) {
    lines.add(
        new Line(
            figure,
            number(samples.median()) + unit,
            number(samples.min()) + "–" + number(samples.max()),
            goal,
            met == null ? "" : met ? "met" : "NOT MET"));
  }

  void print(PrintStream out) {
    out.printf("%n%-42s %12s %17s %10s%n", "figure", "median", "range", "goal");
    for (Line line : lines) {
      out.printf(
          "%-42s %12s %17s %10s  %s%n",
          line.figure, line.measured, line.range, line.goal, line.met);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }
}
