// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.FailedWork;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
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
        figures.put(key(figure, osds), new Measured(figure, osds));
      }
    }
  }

  /**
   * The runs, oldest first, without what newer ones have measured anew: each figure and table, and
   * what failed in a part of which there is anything newer. A run of which nothing is left is not
   * there.
   */
  List<Measurement> runs() {
    Deque<Measurement> kept = new ArrayDeque<>();
    Set<Key> newer = new HashSet<>();
    for (int i = inTheirOrder.size() - 1; i >= 0; i--) {
      Measurement run = inTheirOrder.get(i);
      if (!newer.containsAll(keys(run))) {
        kept.addFirst(without(newer, run));
        newer.addAll(keys(run));
      }
    }
    return List.copyOf(kept);
  }

  private static Measurement without(Set<Key> newer, Measurement run) {
    int osds = run.environment().osds();
    return new Measurement(
        run.started(),
        run.took(),
        run.command(),
        run.environment(),
        run.figures().stream().filter(one -> !newer.contains(key(one, osds))).toList(),
        run.findings().stream().filter(one -> !newer.contains(key(one, osds))).toList(),
        run.failures().stream().filter(one -> !newer.contains(key(one, osds))).toList());
  }

  private static Key key(Figure figure, int osds) {
    return new Key(figure.part(), figure.name(), osds);
  }

  private static Key key(Findings table, int osds) {
    return new Key(table.part(), table.title(), osds);
  }

  private static Key key(FailedWork failed, int osds) {
    return new Key(failed.part(), "", osds);
  }

  /** Parts are keys, too: a run that failed in one has them, and maybe nothing else. */
  private static Set<Key> keys(Measurement run) {
    int osds = run.environment().osds();
    Set<Key> keys = new HashSet<>();
    for (Figure figure : run.figures()) {
      keys.add(key(figure, osds));
      keys.add(new Key(figure.part(), "", osds));
    }
    run.findings().forEach(table -> keys.add(key(table, osds)));
    run.failures().forEach(failed -> keys.add(key(failed, osds)));
    return keys;
  }

  List<Measured> that(Predicate<Figure> wanted) {
    return figures.values().stream().filter(one -> wanted.test(one.figure())).toList();
  }
}
