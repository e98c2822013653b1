// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import java.util.function.LongSupplier;

/** A metric, and where its value is. */
record SampledMetric(Metric metric, LongSupplier value) {

  static SampledMetric counter(String name, String meaning, LongSupplier value) {
    return counter(name, Metric.Unit.COUNT, meaning, value);
  }

  static SampledMetric counter(String name, Metric.Unit unit, String meaning, LongSupplier value) {
    return new SampledMetric(new Metric(name, Metric.Type.COUNTER, unit, meaning), value);
  }

  static SampledMetric gauge(String name, Metric.Unit unit, String meaning, LongSupplier value) {
    return new SampledMetric(new Metric(name, Metric.Type.GAUGE, unit, meaning), value);
  }

  static SampledMetric peak(String name, Metric.Unit unit, String meaning, LongSupplier value) {
    return new SampledMetric(new Metric(name, Metric.Type.PEAK, unit, meaning), value);
  }
}
