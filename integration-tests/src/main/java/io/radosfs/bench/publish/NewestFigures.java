// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.Environment;
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
 * newest counts. In a plot it is the newest of all; in the tables the newest of each kind of
 * machine, as a ratio that one processor gives is not that of another, and a goal that one misses
 * must not go with the next one that meets it.
 */
final class NewestFigures {

  /**
   * A figure, and how large the cluster was.
   *
   * @param osds of the cluster
   */
  record Measured(Figure figure, int osds) {}

  /** What a plot has one of. */
  private record Drawn(String part, String name, int osds) {}

  /** What the tables have one of. */
  private record Key(String part, String name, Environment.Kind kind) {}

  private final List<Measurement> inTheirOrder;
  private final Map<Drawn, Measured> figures = new LinkedHashMap<>();

  NewestFigures(List<Measurement> runs) {
    inTheirOrder = runs.stream().sorted(Comparator.comparing(Measurement::started)).toList();
    for (Measurement run : inTheirOrder) {
      int osds = run.environment().osds();
      for (Figure figure : run.figures()) {
        figures.put(new Drawn(figure.part(), figure.name(), osds), new Measured(figure, osds));
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
    Environment.Kind kind = run.environment().kind();
    return new Measurement(
        run.started(),
        run.took(),
        run.command(),
        run.environment(),
        run.figures().stream().filter(one -> !newer.contains(key(one, kind))).toList(),
        run.findings().stream().filter(one -> !newer.contains(key(one, kind))).toList(),
        run.failures().stream().filter(one -> !newer.contains(key(one, kind))).toList());
  }

  private static Key key(Figure figure, Environment.Kind kind) {
    return new Key(figure.part(), figure.name(), kind);
  }

  private static Key key(Findings table, Environment.Kind kind) {
    return new Key(table.part(), table.title(), kind);
  }

  private static Key key(FailedWork failed, Environment.Kind kind) {
    return new Key(failed.part(), "", kind);
  }

  /** Parts are keys, too: a run that failed in one has them, and maybe nothing else. */
  private static Set<Key> keys(Measurement run) {
    Environment.Kind kind = run.environment().kind();
    Set<Key> keys = new HashSet<>();
    for (Figure figure : run.figures()) {
      keys.add(key(figure, kind));
      keys.add(new Key(figure.part(), "", kind));
    }
    run.findings().forEach(table -> keys.add(key(table, kind)));
    run.failures().forEach(failed -> keys.add(key(failed, kind)));
    return keys;
  }

  List<Measured> that(Predicate<Figure> wanted) {
    return figures.values().stream().filter(one -> wanted.test(one.figure())).toList();
  }
}
