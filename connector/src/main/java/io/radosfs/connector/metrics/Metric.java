// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

/**
 * A number that the process publishes.
 *
 * @param name the same in Hadoop's metrics, Spark's metrics and the statistics of storage
 * @param unit of the number; for people
 * @param meaning for people
 */
public record Metric(String name, Type type, Unit unit, String meaning) {

  /** What a number does as time goes by, and how those of several processes make one. */
  public enum Type {
    /** Only grows, from zero when the process starts. Those of several processes are added. */
    COUNTER,
    /** Is as it is now. Those of several processes are added. */
    GAUGE,
    /** Is as it is now. Of several processes the largest counts. */
    PEAK,
    /** Says something of one process alone. */
    IDENTITY
  }

  /** Of what there are so many. */
  public enum Unit {
    COUNT,
    BYTES,
    MICROSECONDS,
    MILLISECONDS
  }
}
