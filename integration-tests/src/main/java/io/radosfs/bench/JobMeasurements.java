// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.scale.JobCost;
import io.radosfs.bench.scale.JobGrid;
import io.radosfs.bench.scale.JobSize;
import io.radosfs.bench.scale.Quantity;
import io.radosfs.bench.scale.ScaleJob;
import io.radosfs.bench.scale.ScaleModel;
import io.radosfs.bench.scale.ScalePoint;
import io.radosfs.bench.scale.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the jobs of a grid took, round by round; the models of that, and the figures. */
final class JobMeasurements {

  /** The largest relative deviation of what is counted. */
  private static final double DEVIATION = 0.1;

  private static final double MICROS = 1e6;

  private final JobGrid grid;
  private final String cluster;
  private final Map<JobSize, List<JobCost>> costs = new LinkedHashMap<>();

  /**
   * Of nothing yet.
   *
   * @param cluster what it is measured on, for the names of lines
   */
  JobMeasurements(JobGrid grid, String cluster) {
    this.grid = grid;
    this.cluster = cluster;
  }

  void add(JobSize size, JobCost cost) {
    costs.computeIfAbsent(size, key -> new ArrayList<>()).add(cost);
  }

  private Samples samples(JobSize size, ToDoubleFunction<JobCost> what) {
    Samples samples = new Samples();
    costs.get(size).forEach(cost -> samples.add(what.applyAsDouble(cost)));
    return samples;
  }

  /** The medians of each quantity. */
  Map<Quantity, List<ScalePoint>> points() {
    Map<Quantity, List<ScalePoint>> points = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      points.put(
          quantity,
          costs.keySet().stream()
              .map(size -> new ScalePoint(size, samples(size, quantity::of).median()))
              .toList());
    }
    return points;
  }

  Map<Quantity, ScaleModel> models() {
    Map<Quantity, ScaleModel> models = new EnumMap<>(Quantity.class);
    points()
        .forEach(
            (quantity, points) -> models.put(quantity, ScaleModel.of(points, quantity.terms())));
    return models;
  }

  /** Seconds of the clients' processors for an operation, of all jobs together. */
  double clientCpu() {
    return sum(JobCost::clientCpu) / sum(JobCost::operations);
  }

  /** The same of the OSDs' processors. */
  double osdCpu() {
    return sum(JobCost::osdCpu) / sum(JobCost::operations);
  }

  private double sum(ToDoubleFunction<JobCost> what) {
    return costs.values().stream().flatMap(List::stream).mapToDouble(what).sum();
  }

  List<Figure> figures() {
    Figures figures = new Figures("scale of jobs, " + cluster);
    Map<Quantity, ScaleModel> models = models();
    for (Map.Entry<Quantity, List<ScalePoint>> points : points().entrySet()) {
      Quantity quantity = points.getKey();
      String name = "largest deviation of the model, " + quantity.title();
      Samples deviation = one(models.get(quantity).largestDeviation(points.getValue()));
      if (quantity.isCounted()) {
        figures.atMost(name, deviation, "", DEVIATION);
      } else {
        figures.note(name, deviation, "");
      }
    }
    coefficients(figures, models.get(Quantity.OPERATIONS));
    grid.lines().forEach((term, sizes) -> sizes.forEach(size -> line(figures, term, size, models)));
    for (JobSize size : grid.combined()) {
      combined(figures, size, models.get(Quantity.OPERATIONS));
    }
    ratios(figures);
    figures.note("clients' processors, an operation", one(MICROS * clientCpu()), "microseconds");
    figures.note("OSDs' processors, an operation", one(MICROS * osdCpu()), "microseconds");
    return figures.list();
  }

  private static Samples one(double value) {
    Samples samples = new Samples();
    samples.add(value);
    return samples;
  }

  private static void coefficients(Figures figures, ScaleModel model) {
    String unit = Quantity.OPERATIONS.unit();
    figures.note("by the model, any job", one(model.constant()), unit);
    for (Term term : Term.SIZES) {
      figures.note("by the model, one " + term.singular() + " more", one(model.each(term)), unit);
    }
  }

  /** A place in the plots of sizes that differ in one term alone. */
  private void line(Figures figures, Term term, JobSize size, Map<Quantity, ScaleModel> models) {
    for (Quantity quantity : Quantity.values()) {
      if (!quantity.drawnBy().contains(term)) {
        continue;
      }
      String name = quantity.title() + named(term, size);
      String plot = "scale: " + quantity.title() + " by " + term.plural();
      Point counted = new Point(plot, cluster, term.plural(), size.of(term));
      Point modelled = new Point(plot, "model, " + cluster, term.plural(), size.of(term));
      figures.note(name, samples(size, quantity::of), quantity.unit(), counted);
      figures.note(
          "by the model, " + name, one(models.get(quantity).at(size)), quantity.unit(), modelled);
    }
    if (term == Term.EXECUTORS) {
      figures.note(
          "files written by tasks" + named(term, size),
          samples(size, cost -> size.files() / cost.taskSeconds()),
          "files/s",
          new Point(
              "scale: files written a second by executors", cluster, term.plural(), size.of(term)));
    }
  }

  private static String named(Term term, JobSize size) {
    return String.format(Locale.ROOT, ", %,d %s", size.of(term), term.plural());
  }

  private void combined(Figures figures, JobSize size, ScaleModel model) {
    Quantity quantity = Quantity.OPERATIONS;
    String name = quantity.title() + ", " + size.text();
    figures.note(name, samples(size, quantity::of), quantity.unit());
    figures.note("by the model, " + name, one(model.at(size)), quantity.unit());
  }

  /** Of two counts of the same: where they differ much, one of them is not what it is taken for. */
  private void ratios(Figures figures) {
    for (JobSize size : Stream.of(grid.base(), largest()).distinct().toList()) {
      figures.note(
          "operations that the OSDs counted, to those sent, " + size.text(),
          samples(size, JobCost::operations).over(samples(size, JobCost::sent)),
          "");
      figures.note(
          "bytes of data at the OSDs, to those of the files, " + size.text(),
          samples(
              size, cost -> cost.bytesWritten() / ((double) size.files() * ScaleJob.FILE_BYTES)),
          "");
    }
  }

  private JobSize largest() {
    return costs.keySet().stream().max(Comparator.comparingInt(JobSize::files)).orElseThrow();
  }
}
