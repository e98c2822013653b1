// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * What jobs take of something, as a constant and so much for each file, partition, task and so on.
 *
 * @param perUnit has the terms that the points differ in
 */
public record ScaleModel(double constant, Map<Term, Double> perUnit) {

  /** What is less than this of anything is what calculating left. */
  private static final double NOTHING = 1e-9;

  /** Terms of which less is left, once the others are taken away, cannot be told from those. */
  private static final double SINGULAR = 1e-12;

  public ScaleModel {
    perUnit = Map.copyOf(perUnit);
  }

  /**
   * The model that is nearest to the points, by least squares of the relative deviations: a job of
   * 200 files counts as much as one of 3,200, and it is the relative deviation that is reported.
   *
   * @param terms those that it may grow with; one that is the same in all points is left out, as
   *     nothing tells it from the constant
   * @throws IllegalArgumentException if the points do not determine it, or a value is not positive
   */
  public static ScaleModel of(List<ScalePoint> points, Collection<Term> terms) {
    List<Term> varying =
        terms.stream().distinct().sorted().filter(term -> varies(term, points)).toList();
    double[][] rows = new double[points.size()][1 + varying.size()];
    for (int i = 0; i < rows.length; i++) {
      ScalePoint point = points.get(i);
      if (!(point.value() > 0)) {
        throw new IllegalArgumentException(point + " has no relative deviation");
      }
      rows[i][0] = 1 / point.value();
      for (int k = 0; k < varying.size(); k++) {
        rows[i][1 + k] = point.size().of(varying.get(k)) / point.value();
      }
    }
    double[] found = solve(rows);
    Map<Term, Double> perUnit = new EnumMap<>(Term.class);
    for (int k = 0; k < varying.size(); k++) {
      perUnit.put(varying.get(k), found[1 + k]);
    }
    return new ScaleModel(found[0], perUnit);
  }

  private static boolean varies(Term term, List<ScalePoint> points) {
    return points.stream().mapToInt(point -> point.size().of(term)).distinct().count() > 1;
  }

  /** Each row, times what is found, is to be as near to 1 as can be. */
  private static double[] solve(double[][] rows) {
    double[] ones = new double[rows.length];
    Arrays.fill(ones, 1);
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression(SINGULAR);
    // The rows have it.
    regression.setNoIntercept(true);
    try {
      regression.newSampleData(ones, rows);
      return regression.estimateRegressionParameters();
    } catch (MathIllegalArgumentException e) {
      throw new IllegalArgumentException(
          rows.length + " points determine no model: " + e.getMessage(), e);
    }
  }

  /** What a job of this size takes by the model. */
  public double at(JobSize size) {
    double sum = constant;
    for (Map.Entry<Term, Double> term : perUnit.entrySet()) {
      sum += term.getValue() * size.of(term.getKey());
    }
    return sum;
  }

  /** What each one more takes; 0 where the points did not differ in it. */
  public double each(Term term) {
    return perUnit.getOrDefault(term, 0.0);
  }

  /** The largest of the model's deviations from these points, as a share of the point's value. */
  public double largestDeviation(List<ScalePoint> points) {
    return points.stream()
        .mapToDouble(point -> Math.abs(at(point.size()) / point.value() - 1))
        .max()
        .orElseThrow();
  }

  /** As a sum, for people. */
  public String text() {
    StringBuilder text = new StringBuilder(number(constant));
    for (Term term : Term.values()) {
      double each = each(term);
      if (Math.abs(each) > NOTHING) {
        text.append(each < 0 ? " − " : " + ").append(number(Math.abs(each)));
        text.append(" × ").append(term.plural());
      }
    }
    return text.toString();
  }

  private static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 0.01 ? "%.2f" : "%.2g";
    return String.format(Locale.ROOT, size == 0 ? "%.0f" : format, value);
  }
}
