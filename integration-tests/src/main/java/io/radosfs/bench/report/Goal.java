// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

/**
 * What a figure's median is to reach.
 *
 * @param bound from which side
 */
public record Goal(Bound bound, double limit) {

  /** The side on which the goal is met; the limit itself meets it. */
  public enum Bound {
    AT_LEAST("≥"),
    AT_MOST("≤");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }

    public String sign() {
      return sign;
    }
  }

  public static Goal atLeast(double limit) {
    return new Goal(Bound.AT_LEAST, limit);
  }

  public static Goal atMost(double limit) {
    return new Goal(Bound.AT_MOST, limit);
  }

  public boolean metBy(double median) {
    return bound == Bound.AT_LEAST ? median >= limit : median <= limit;
  }
}
