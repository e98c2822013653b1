// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.PrintStream;
import java.util.List;

/** Figures on the terminal, each with its goal, findings, and failures. */
public final class TextTable {

  private TextTable() {}

  /** Each cell on a line of its own: in columns they would be too wide. */
  public static void print(Findings findings, PrintStream out) {
    out.printf("%n%s: %s%n", findings.part(), findings.title());
    for (List<String> row : findings.rows()) {
      out.println("  " + row.get(0));
      for (int i = 1; i < row.size(); i++) {
        out.println("    " + findings.columns().get(i) + ": " + row.get(i));
      }
    }
  }

  public static void print(FailedWork failure, PrintStream out) {
    out.printf("%n%s: %s FAILED: %s%n", failure.part(), failure.work(), failure.message());
  }

  /** Without samples. */
  public static void print(List<Figure> all, PrintStream out) {
    List<Figure> figures = all.stream().filter(figure -> !figure.isSample()).toList();
    int width = figures.stream().mapToInt(figure -> figure.name().length()).max().orElse(0);
    String line = "%-" + Math.max(width, "figure".length()) + "s %14s %17s %12s  %s%n";
    out.println();
    out.printf(line, "figure", "median", "range", "goal", "");
    String part = "";
    for (Figure figure : figures) {
      if (!figure.part().equals(part)) {
        part = figure.part();
        out.println(part);
      }
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
