// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.util.ArrayList;
import java.util.List;

/** Measured values of one figure, one a round. */
final class Samples {

  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  double last() {
    return values.get(values.size() - 1);
  }

  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double min() {
    return values.stream().mapToDouble(v -> v).min().orElseThrow();
  }

  double max() {
    return values.stream().mapToDouble(v -> v).max().orElseThrow();
  }

  /** Round by round, these divided by the others: what is measured in turn shares its luck. */
  Samples over(Samples others) {
    Samples ratios = new Samples();
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i) / others.values.get(i));
    }
    return ratios;
  }
}
