// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.jmh;

import io.radosfs.bench.report.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The figures of JMH's results. */
final class JmhFigures {

  private static final String UNIT = "µs a call";

  private JmhFigures() {}

  /** Of one run: a repeat is an iteration. */
  static List<Figure> of(JmhResults results) {
    List<Figure> figures = new ArrayList<>();
    results
        .iterations()
        .forEach((name, values) -> figures.add(figure("micro", name, UNIT, values)));
    return figures;
  }

  /**
   * Of two commits that were measured in turns: a repeat is a turn. A benchmark that one of them
   * does not have is left out.
   *
   * @param before a run a turn
   * @param after a run a turn, as many
   */
  static List<Figure> of(List<JmhResults> before, List<JmhResults> after) {
    if (before.size() != after.size()) {
      throw new IllegalArgumentException(
          before.size() + " runs before, " + after.size() + " after");
    }
    Set<String> names = new TreeSet<>(before.get(0).scores().keySet());
    before.forEach(run -> names.retainAll(run.scores().keySet()));
    after.forEach(run -> names.retainAll(run.scores().keySet()));
    List<Figure> figures = new ArrayList<>();
    for (String name : names) {
      List<Double> ratios = new ArrayList<>();
      for (int turn = 0; turn < before.size(); turn++) {
        ratios.add(after.get(turn).scores().get(name) / before.get(turn).scores().get(name));
      }
      figures.add(figure("compare", name + ", before", UNIT, scores(before, name)));
      figures.add(figure("compare", name + ", after", UNIT, scores(after, name)));
      figures.add(figure("compare", name + ", after to before", "", ratios));
    }
    return figures;
  }

  private static List<Double> scores(List<JmhResults> runs, String name) {
    return runs.stream().map(run -> run.scores().get(name)).toList();
  }

  private static Figure figure(String part, String name, String unit, List<Double> values) {
    return new Figure(part, name, unit, values, Optional.empty(), Optional.empty());
  }
}
