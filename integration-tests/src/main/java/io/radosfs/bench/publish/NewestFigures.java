// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Measurement;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private final List<Measurement> inTheirOrder;
  private final Map<Key, Measured> figures = new LinkedHashMap<>();

  NewestFigures(List<Measurement> runs) {
    inTheirOrder = runs.stream().sorted(Comparator.comparing(Measurement::started)).toList();
    for (Measurement run : inTheirOrder) {
      int osds = run.environment().osds();
      for (Figure figure : run.figures()) {
        figures.put(new Key(figure.part(), figure.name(), osds), new Measured(figure, osds));
      }
    }
  }

  /**
   * The runs, oldest first, without those that newer ones have replaced: all their figures and
   * tables are there anew, and of what failed, its part.
   */
  List<Measurement> runs() {
    Deque<Measurement> kept = new ArrayDeque<>();
    Set<Key> newer = new HashSet<>();
    for (int i = inTheirOrder.size() - 1; i >= 0; i--) {
      Measurement run = inTheirOrder.get(i);
      if (!newer.containsAll(keys(run))) {
        kept.addFirst(run);
        newer.addAll(keys(run));
      }
    }
    return List.copyOf(kept);
  }

  /** Parts are keys, too: a run that failed in one has them, and maybe nothing else. */
  private static Set<Key> keys(Measurement run) {
    int osds = run.environment().osds();
    Set<Key> keys = new HashSet<>();
    for (Figure figure : run.figures()) {
      keys.add(new Key(figure.part(), figure.name(), osds));
      keys.add(new Key(figure.part(), "", osds));
    }
    run.findings().forEach(table -> keys.add(new Key(table.part(), table.title(), osds)));
    run.failures().forEach(failed -> keys.add(new Key(failed.part(), "", osds)));
    return keys;
  }

  List<Measured> that(Predicate<Figure> wanted) {
    return figures.values().stream().filter(one -> wanted.test(one.figure())).toList();
  }
}
