// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.scale.ObjectLoad;
import io.radosfs.bench.scale.Saturation;
import io.radosfs.bench.scale.ScaleFindings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What each load came to with each number of writers, round by round, and the figures of that. */
final class ObjectMeasurements {

  private final String cluster;
  private final Map<ObjectLoad, SortedMap<Integer, List<Result>>> results =
      new EnumMap<>(ObjectLoad.class);

  /**
   * A round of one load.
   *
   * @param rate writes or files a second, of all writers together
   * @param clientCores cores that the executors used meanwhile
   */
  record Result(double rate, double clientCores, double osdCores) {}

  /**
   * Of nothing yet.
   *
   * @param cluster what it is measured on, for the names of lines
   */
  ObjectMeasurements(String cluster) {
    this.cluster = cluster;
  }

  void add(ObjectLoad load, int writers, Result result) {
    results
        .computeIfAbsent(load, key -> new TreeMap<>())
        .computeIfAbsent(writers, key -> new ArrayList<>())
        .add(result);
  }

  private Samples samples(ObjectLoad load, int writers, ToDoubleFunction<Result> what) {
    Samples samples = new Samples();
    results.get(load).get(writers).forEach(result -> samples.add(what.applyAsDouble(result)));
    return samples;
  }

  /** The medians of what was done a second, by load and number of writers. */
  Map<ObjectLoad, Map<Integer, Double>> rates() {
    Map<ObjectLoad, Map<Integer, Double>> rates = new EnumMap<>(ObjectLoad.class);
    results.forEach(
        (load, byWriters) -> {
          Map<Integer, Double> medians = new TreeMap<>();
          byWriters
              .keySet()
              .forEach(
                  writers -> medians.put(writers, samples(load, writers, Result::rate).median()));
          rates.put(load, medians);
        });
    return rates;
  }

  /** The most omap writes a second that one object took. */
  double ofOneObject() {
    return ScaleFindings.best(rates().get(ObjectLoad.OMAP_OF_ONE)).getValue();
  }

  /**
   * What limits the most writers.
   *
   * @param cores of this machine
   */
  Saturation saturation(int cores) {
    int writers = results.get(ObjectLoad.OMAP_OF_ONE).lastKey();
    return new Saturation(
        writers,
        samples(ObjectLoad.OMAP_OF_ONE, writers, Result::rate).median(),
        samples(ObjectLoad.OMAP_OF_MANY, writers, Result::rate).median(),
        samples(ObjectLoad.OMAP_OF_ONE, writers, Result::clientCores).median(),
        samples(ObjectLoad.OMAP_OF_ONE, writers, Result::osdCores).median(),
        cores);
  }

  List<Figure> figures() {
    Figures figures = new Figures("scale of one object, " + cluster);
    results.forEach(
        (load, byWriters) -> byWriters.keySet().forEach(writers -> rate(figures, load, writers)));
    results.forEach(
        (load, byWriters) -> {
          int most = byWriters.lastKey();
          String name = named(load, most);
          figures.note("clients, " + name, samples(load, most, Result::clientCores), "cores");
          figures.note("OSDs, " + name, samples(load, most, Result::osdCores), "cores");
        });
    ratio(figures, ObjectLoad.OMAP_OF_ONE, ObjectLoad.OMAP_OF_MANY);
    ratio(figures, ObjectLoad.FILES_IN_ONE, ObjectLoad.FILES_IN_MANY);
    ratio(figures, ObjectLoad.FILES_BELOW_THRESHOLD, ObjectLoad.FILES_IN_ONE);
    ratio(figures, ObjectLoad.FILES_ABOVE_THRESHOLD, ObjectLoad.FILES_IN_ONE);
    return figures.list();
  }

  private void rate(Figures figures, ObjectLoad load, int writers) {
    String what = load.makesFiles() ? "files" : "omap writes";
    figures.note(
        named(load, writers),
        samples(load, writers, Result::rate),
        load.makesFiles() ? "files/s" : "writes/s",
        new Point(
            "scale: " + what + " a second by writers",
            load.title() + ", " + cluster,
            "writers at once",
            writers));
  }

  private void ratio(Figures figures, ObjectLoad one, ObjectLoad other) {
    int writers = results.get(one).lastKey();
    figures.note(
        String.format(Locale.ROOT, "%s, to %s, %d writers", one.title(), other.title(), writers),
        samples(one, writers, Result::rate).over(samples(other, writers, Result::rate)),
        "");
  }

  private static String named(ObjectLoad load, int writers) {
    return load.title() + ", " + writers + (writers == 1 ? " writer" : " writers");
  }
}
