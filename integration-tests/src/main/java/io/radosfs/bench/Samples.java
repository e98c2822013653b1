// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** Measured values of one figure, one a round. */
final class Samples {

  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
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

  List<Double> values() {
    return List.copyOf(values);
  }

  /** Round by round, these divided by the others: what is measured in turn shares its luck. */
  Samples over(Samples others) {
    return with(others, (one, other) -> one / other);
  }

  /** Round by round, the sums of these and the others. */
  Samples plus(Samples others) {
    return with(others, Double::sum);
  }

  /** Round by round, what these are above the others. */
  Samples minus(Samples others) {
    return with(others, (one, other) -> one - other);
  }

  /** Round by round, the products of these and the others. */
  Samples times(Samples others) {
    return with(others, (one, other) -> one * other);
  }

  private Samples with(Samples others, DoubleBinaryOperator operator) {
    if (values.size() != others.values.size()) {
      throw new IllegalArgumentException(
          values.size() + " rounds cannot be compared with " + others.values.size());
    }
    Samples results = new Samples();
    for (int i = 0; i < values.size(); i++) {
      results.add(operator.applyAsDouble(values.get(i), others.values.get(i)));
    }
    return results;
  }
}
