// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.bench.report.Findings;
import io.radosfs.connector.config.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What follows from the measured counts and rates. Every number in an answer is computed from them;
 * the questions alone are chosen.
 *
 * @param cluster what it was measured on
 * @param points of each quantity that has a model
 * @param ofObjects how often a second, for each load and number of writers
 */
public record ScaleFindings(
    String cluster,
    Map<Quantity, List<ScalePoint>> points,
    Map<Quantity, ScaleModel> models,
    Map<ObjectLoad, Map<Integer, Double>> ofObjects,
    Rates rates,
    Saturation saturation) {

  private static final String PART = "scale";
  private static final int OSDS = 100;
  private static final int EXECUTORS = 100;
  private static final int CORES = 4;
  private static final int TASKS = 10_000;
  private static final int FILES = 1_000_000;
  private static final int PARTITIONS = 1_000;

  /** Of a file as large as Spark's readers like it. */
  private static final double LARGE_FILE_GIB = 128.0 / 1024;

  /** What limits jobs, and what large ones would take. */
  public Findings limits() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "What saturates first, of clients, OSDs and one placement group",
            saturation.first().text(),
            saturation.text()));
    rows.add(
        List.of(
            "What one object takes of omap writes",
            perSecond(ObjectLoad.OMAP_OF_ONE, "writes"),
            byWriters(ObjectLoad.OMAP_OF_ONE)));
    for (ObjectLoad load : ObjectLoad.values()) {
      if (load.makesFiles()) {
        rows.add(
            List.of("What is made of " + load.title(), perSecond(load, "files"), byWriters(load)));
      }
    }
    for (JobSize size : sizes()) {
      Forecast forecast = new Forecast(size, OSDS, CORES, models, rates);
      rows.add(List.of(forecast.question(), forecast.answer(), forecast.parts()));
    }
    rows.add(sharding(new Forecast(sizes().get(2), OSDS, CORES, models, rates)));
    rows.add(reach());
    return new Findings(
        PART,
        "what limits jobs, by what was counted on " + cluster,
        List.of("question", "answer", "from"),
        rows);
  }

  /**
   * Of small files: a task that makes one; and a hundred, in one directory and in a thousand. So
   * many names of one directory are in shards.
   */
  private static List<JobSize> sizes() {
    int shards = Integer.parseInt(Options.DIRECTORY_SHARDS.defaultText());
    return List.of(
        new JobSize(TASKS, 0, TASKS, EXECUTORS, 0),
        new JobSize(FILES, 0, TASKS, EXECUTORS, shards),
        new JobSize(FILES, PARTITIONS, TASKS, EXECUTORS, 0));
  }

  private static List<String> sharding(Forecast forecast) {
    double files = forecast.filesOfTheRecord();
    String answer =
        String.format(
            Locale.ROOT,
            "From %,.0f files/s of one job on, which is what %.2f cores of OSDs take. With %d cores"
                + " it would have to be %,d objects for the OSDs to be the limit. With files of 128"
                + " MiB that rate is %,.0f GiB/s",
            files,
            forecast.osdCoresOfTheRecord(),
            forecast.osds(),
            forecast.recordsWanted(),
            files * LARGE_FILE_GIB);
    String from =
        String.format(
            Locale.ROOT,
            "%.2f operations a file on the record, of %,.0f/s; %.2f a file at the OSDs, %.0f µs of"
                + " their processors each",
            forecast.at(Quantity.OF_TASKS) / forecast.size().files(),
            forecast.rates().ofOneObject(),
            forecast.at(Quantity.OPERATIONS) / forecast.size().files(),
            forecast.rates().osdCpu() * 1e6);
    return List.of("Where a job's record, one object, would have to be sharded", answer, from);
  }

  private List<String> reach() {
    List<JobSize> measured =
        points.get(Quantity.OPERATIONS).stream().map(ScalePoint::size).toList();
    int most = measured.stream().mapToInt(JobSize::files).max().orElseThrow();
    String answer =
        String.format(
            Locale.ROOT,
            "%,d files are %,.0f times as many as the largest job had that was measured",
            FILES,
            FILES / (double) most);
    String from =
        String.format(
            Locale.ROOT,
            "%d sizes of jobs, of up to %,d files; processors and OSDs as fast as here, and as many"
                + " copies",
            measured.size(),
            most);
    return List.of("How far this is from what was measured", answer, from);
  }

  private String perSecond(ObjectLoad load, String what) {
    Map.Entry<Integer, Double> best = best(ofObjects.get(load));
    return String.format(
        Locale.ROOT, "%,.0f %s/s, by %d at once", best.getValue(), what, best.getKey());
  }

  /** The number of writers that were fastest, and how fast. */
  public static Map.Entry<Integer, Double> best(Map<Integer, Double> byWriters) {
    return byWriters.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
  }

  private String byWriters(ObjectLoad load) {
    return new TreeMap<>(ofObjects.get(load))
        .entrySet().stream()
            .map(
                each ->
                    String.format(
                        Locale.ROOT, "%d at once: %,.0f/s", each.getKey(), each.getValue()))
            .collect(Collectors.joining("; "));
  }

  /** The models, each with its largest deviation. */
  public Findings formulas() {
    List<List<String>> rows = new ArrayList<>();
    for (Quantity quantity : Quantity.values()) {
      ScaleModel model = models.get(quantity);
      rows.add(
          List.of(
              quantity.title(),
              model.text(),
              String.format(
                  Locale.ROOT, "%.1f %%", 100 * model.largestDeviation(points.get(quantity)))));
    }
    return new Findings(
        PART,
        "what a job takes, by a model of what was counted on " + cluster,
        List.of("what", "model", "largest deviation"),
        rows);
  }
}
