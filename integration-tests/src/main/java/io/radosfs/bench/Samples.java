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

  List<Double> values() {
    return List.copyOf(values);
  }

  /** Round by round, these divided by the others: what is measured in turn shares its luck. */
  Samples over(Samples others) {
    if (values.size() != others.values.size()) {
      throw new IllegalArgumentException(
          values.size() + " rounds cannot be compared with " + others.values.size());
    }
    Samples ratios = new Samples();
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i) / others.values.get(i));
    }
    return ratios;
  }
}
