// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

/**
 * A figure's place in a plot of lines.
 *
 * @param plot its title
 * @param series the line
 * @param axis what x counts
 */
public record Point(String plot, String series, String axis, double x) {

  /** What x counts if the line is what one run came to: see {@link Figure#isSample}. */
  public static final String SECONDS = "seconds";

  boolean isOverTime() {
    return axis.equals(SECONDS);
  }
}
