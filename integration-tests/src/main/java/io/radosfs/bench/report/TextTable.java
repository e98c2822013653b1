// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.PrintStream;
import java.util.List;

/** All figures on the terminal, each with its goal. */
public final class TextTable {

  private TextTable() {}

  public static void print(List<Figure> figures, PrintStream out) {
    int width = figures.stream().mapToInt(figure -> figure.name().length()).max().orElse(0);
    String line = "%-" + Math.max(width, "figure".length()) + "s %14s %17s %12s  %s%n";
    out.println();
    out.printf(line, "figure", "median", "range", "goal", "");
    for (Figure figure : figures) {
      out.printf(
          line,
          figure.name(),
          Texts.median(figure),
          Texts.range(figure),
          Texts.goal(figure),
          Texts.met(figure));
    }
  }
}
