// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Measurement;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The figures of several runs, each once: of those that were measured again, on as many OSDs, the
 * newest counts.
 */
final class NewestFigures {

  /**
   * A figure, and how large the cluster was.
   *
   * @param osds of the cluster
   */
  record Measured(Figure figure, int osds) {}

  private record Key(String part, String name, int osds) {}

  private final Map<Key, Measured> figures = new LinkedHashMap<>();

  NewestFigures(List<Measurement> runs) {
    List<Measurement> inTheirOrder =
        runs.stream().sorted(Comparator.comparing(Measurement::started)).toList();
    for (Measurement run : inTheirOrder) {
      int osds = run.environment().osds();
      for (Figure figure : run.figures()) {
        figures.put(new Key(figure.part(), figure.name(), osds), new Measured(figure, osds));
      }
    }
  }

  List<Measured> that(Predicate<Figure> wanted) {
    return figures.values().stream().filter(one -> wanted.test(one.figure())).toList();
  }
}
