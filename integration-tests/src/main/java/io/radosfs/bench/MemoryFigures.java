// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.memory.MemoryKind;
import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySample;
import io.radosfs.bench.memory.MemorySetting;
import io.radosfs.bench.memory.MemorySide;
import io.radosfs.bench.memory.QueryRun;
import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The runs of each setting and side, and the figures of them. A sum is of the queries that every
 * run has answered, so that all sums can be compared.
 */
final class MemoryFigures {

  private static final double MIB = 1 << 20;

  /** Of a line over time. More could not be seen. */
  private static final int MOST_POINTS = 60;

  /** The parts of what a process has, for one plot. */
  private static final List<MemoryKind> OF_A_PROCESS =
      List.of(
          MemoryKind.HEAP,
          MemoryKind.SPARK_OFF_HEAP,
          MemoryKind.DIRECT_BUFFERS,
          MemoryKind.STREAM_BUFFERS,
          MemoryKind.RESIDENT);

  private final Map<MemorySetting, Map<MemorySide, List<MemoryRun>>> settings =
      new LinkedHashMap<>();
  private final List<String> queries;

  /**
   * Figures of runs that are still to come.
   *
   * @param settings the first is what the others are compared with
   * @param queries all of the suite, in their order
   */
  MemoryFigures(List<MemorySetting> settings, List<String> queries) {
    for (MemorySetting setting : settings) {
      Map<MemorySide, List<MemoryRun>> sides = new EnumMap<>(MemorySide.class);
      for (MemorySide side : MemorySide.values()) {
        sides.put(side, new ArrayList<>());
      }
      this.settings.put(setting, sides);
    }
    this.queries = queries;
  }

  /** A round of a setting. Each answer must be that of every other run. */
  void add(MemorySetting setting, Map<MemorySide, MemoryRun> ofBoth) throws IOException {
    for (Map.Entry<MemorySide, MemoryRun> run : ofBoth.entrySet()) {
      for (Map.Entry<String, QueryRun> query : run.getValue().answered().entrySet()) {
        requireKnownAnswer(
            setting.title() + ", " + run.getKey().title(), query.getKey(), query.getValue().rows());
      }
      settings.get(setting).get(run.getKey()).add(run.getValue());
    }
  }

  private void requireKnownAnswer(String who, String query, List<String> rows) throws IOException {
    for (var sides : settings.entrySet()) {
      for (var side : sides.getValue().entrySet()) {
        for (MemoryRun known : side.getValue()) {
          if (known.answered().containsKey(query)) {
            String other = sides.getKey().title() + ", " + side.getKey().title();
            List<String> ofOther = known.answered().get(query).rows();
            AskedTables.requireEqual(query, who, rows, other, ofOther);
            return; // As all that are known are equal.
          }
        }
      }
    }
  }

  /** One that a process could not be run with; its rounds before are left out, too. */
  void leaveOut(MemorySetting setting) {
    settings.remove(setting);
  }

  /** Whether it has not been left out. */
  boolean has(MemorySetting setting) {
    return settings.containsKey(setting);
  }

  /**
   * What there is so far. Of a round that not all settings have yet, there are figures in the first
   * round alone, of those settings that have it.
   */
  List<Figure> list() {
    Set<String> answered = answeredByAll();
    if (answered.isEmpty()) {
      return List.of();
    }
    List<Figure> all = new ArrayList<>();
    Figures times = new Figures("memory");
    totals(times, answered);
    ofEachQuery(times);
    overTime(times);
    all.addAll(times.list());
    all.addAll(shuffled(answered).list());
    all.addAll(peaks("memory: peaks", OF_A_PROCESS).list());
    all.addAll(peaks("memory: peaks of the page cache", List.of(MemoryKind.PAGE_CACHE)).list());
    return all;
  }

  private Set<String> answeredByAll() {
    Set<String> answered = new TreeSet<>();
    settings.values().stream()
        .flatMap(sides -> sides.values().stream())
        .flatMap(List::stream)
        .forEach(run -> answered.addAll(run.answered().keySet()));
    settings.values().stream()
        .flatMap(sides -> sides.values().stream())
        .flatMap(List::stream)
        .forEach(run -> answered.retainAll(run.answered().keySet()));
    return answered;
  }

  private interface Work {
    void of(MemorySetting setting, MemorySide side, List<MemoryRun> runs);
  }

  /** Of the settings that have any runs, as many rounds as each of these has. */
  private void forEach(Work work) {
    int rounds = rounds();
    settings.forEach(
        (setting, sides) ->
            sides.forEach(
                (side, runs) -> {
                  if (!runs.isEmpty()) {
                    work.of(setting, side, runs.subList(0, rounds));
                  }
                }));
  }

  private int rounds() {
    return settings.values().stream()
        .flatMap(sides -> sides.values().stream())
        .mapToInt(List::size)
        .filter(runs -> runs > 0)
        .min()
        .orElse(0);
  }

  private static String name(MemorySetting setting, MemorySide side) {
    return setting.title() + ", " + side.title();
  }

  private static Samples samples(List<MemoryRun> runs, ToDoubleFunction<MemoryRun> of) {
    Samples samples = new Samples();
    runs.forEach(run -> samples.add(of.applyAsDouble(run)));
    return samples;
  }

  private void totals(Figures figures, Set<String> answered) {
    String all = answered.size() + " queries, ";
    Map<MemorySetting, Map<MemorySide, Samples>> seconds = new LinkedHashMap<>();
    forEach(
        (setting, side, runs) -> {
          Samples sums = samples(runs, run -> run.sum(answered, QueryRun::seconds));
          seconds.computeIfAbsent(setting, key -> new EnumMap<>(MemorySide.class)).put(side, sums);
          figures.note(all + name(setting, side), sums, "s");
        });
    forEach(
        (setting, side, runs) ->
            figures.note(
                "garbage collector meanwhile, " + name(setting, side),
                samples(runs, run -> run.sum(answered, QueryRun::collecting)),
                "s"));
    seconds.forEach(
        (setting, sides) ->
            figures.note(
                all + setting.title() + ", rados:// to local disk",
                sides.get(MemorySide.RADOS).over(sides.get(MemorySide.DISK)),
                ""));
    MemorySetting first = seconds.keySet().iterator().next();
    seconds.forEach(
        (setting, sides) -> {
          if (!setting.equals(first)) {
            sides.forEach(
                (side, sums) ->
                    figures.note(
                        all + name(setting, side) + ", to " + first.title(),
                        sums.over(seconds.get(first).get(side)),
                        ""));
          }
        });
  }

  /** Also of those that some other run has not answered. */
  private void ofEachQuery(Figures figures) {
    MemorySetting first = settings.keySet().iterator().next();
    for (String query : queries) {
      forEach(
          (setting, side, runs) -> {
            String plot = "memory: seconds of each query, " + setting.title();
            String name = "query " + query + ", " + name(setting, side);
            ofQuery(figures, name, query, runs, QueryRun::seconds, "s", plot, side.title());
          });
      forEach(
          (setting, side, runs) -> {
            // Both sides shuffle the same rows.
            if (side == MemorySide.RADOS) {
              if (setting.equals(first)) {
                shuffleOfQuery(
                    figures, "shuffled", query, setting, runs, of -> of.shuffled().written() / MIB);
              }
              shuffleOfQuery(
                  figures,
                  "spilled",
                  query,
                  setting,
                  runs,
                  of -> of.shuffled().spilledDisk() / MIB);
            }
          });
    }
  }

  private void shuffleOfQuery(
      Figures figures,
      String what,
      String query,
      MemorySetting setting,
      List<MemoryRun> runs,
      ToDoubleFunction<QueryRun> of) {
    String plot = "memory: MiB that each query shuffled, and spilled to the disk, rados://";
    String name = "query " + query + ", " + what + ", " + name(setting, MemorySide.RADOS);
    ofQuery(figures, name, query, runs, of, "MiB", plot, what + ", " + setting.title());
  }

  private void ofQuery(
      Figures figures,
      String name,
      String query,
      List<MemoryRun> runs,
      ToDoubleFunction<QueryRun> of,
      String unit,
      String plot,
      String series) {
    if (runs.stream().allMatch(run -> run.answered().containsKey(query))) {
      Point point = new Point(plot, series, "query", queries.indexOf(query) + 1);
      Samples samples = samples(runs, run -> of.applyAsDouble(run.answered().get(query)));
      figures.note(name, samples, unit, point);
    }
  }

  private Figures shuffled(Set<String> answered) {
    Figures figures = new Figures("memory: shuffle");
    Map<String, ToDoubleFunction<QueryRun>> kinds = new LinkedHashMap<>();
    kinds.put("shuffle, written", query -> query.shuffled().written() / MIB);
    kinds.put("shuffle, read", query -> query.shuffled().read() / MIB);
    kinds.put("spilled, as it was in memory", query -> query.shuffled().spilledMemory() / MIB);
    kinds.put("spilled, as it is on the disk", query -> query.shuffled().spilledDisk() / MIB);
    kinds.forEach(
        (kind, of) ->
            forEach(
                (setting, side, runs) ->
                    figures.note(
                        kind + ", " + name(setting, side),
                        samples(runs, run -> run.sum(answered, of)),
                        "MiB")));
    return figures;
  }

  /** The page cache's are apart from the others, beside which they are large. */
  private Figures peaks(String part, List<MemoryKind> kinds) {
    Figures figures = new Figures(part);
    for (MemoryKind kind : kinds) {
      forEach(
          (setting, side, runs) ->
              figures.note(
                  kind.title() + ", " + name(setting, side),
                  samples(runs, run -> run.peak(kind) / MIB),
                  "MiB"));
    }
    return figures;
  }

  /** Of the last round. */
  private void overTime(Figures figures) {
    forEach(
        (setting, side, runs) -> {
          List<MemorySample> samples = runs.get(runs.size() - 1).samples();
          for (MemoryKind kind : OF_A_PROCESS) {
            String plot = "memory over time: " + name(setting, side);
            line(figures, name(setting, side), plot, kind.title(), kind, samples);
          }
          String plot = "page cache over time: " + setting.title();
          line(figures, name(setting, side), plot, side.title(), MemoryKind.PAGE_CACHE, samples);
        });
  }

  private static void line(
      Figures figures,
      String run,
      String plot,
      String series,
      MemoryKind kind,
      List<MemorySample> samples) {
    largest(samples, kind)
        .forEach(
            (second, bytes) -> {
              Samples value = new Samples();
              value.add(bytes / MIB);
              String name = kind.title() + ", " + run + ", after " + second + " s";
              figures.note(name, value, "MiB", new Point(plot, series, Point.SECONDS, second));
            });
  }

  /**
   * The largest sample of each of so many intervals, by the second that the interval begins with.
   */
  static Map<Long, Long> largest(List<MemorySample> samples, MemoryKind kind) {
    double last = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).seconds();
    long width = (long) (last / MOST_POINTS) + 1;
    Map<Long, Long> largest = new TreeMap<>();
    for (MemorySample sample : samples) {
      long second = (long) (sample.seconds() / width) * width;
      largest.merge(second, sample.bytes().get(kind), Math::max);
    }
    return largest;
  }
}
