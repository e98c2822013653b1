// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.report.Point;
import java.util.Locale;

/**
 * What is printed of one task that writes, and was not measured in this run.
 *
 * @param who has written it
 * @param mib of text
 * @param copies of each object in the pool
 */
public record PrintedSpeed(
    String who, Format format, int mib, int copies, Buffer buffer, double seconds) {

  private static final String PRINTED = ", printed, not measured here";

  /** Says that nobody has measured it here, as the line in the plot does. */
  public String name() {
    return String.format(Locale.ROOT, "%s, %d MiB, %s", format.title(), mib, series());
  }

  public double mibASecond() {
    return mib / seconds;
  }

  /** In the plot of what is measured under the same settings, on a line of its own. */
  public Point point() {
    String plot = PaperCase.speedPlot(copies, buffer, format);
    return new Point(plot, series(), PaperCase.MIB_OF_TEXT, mib);
  }

  private String series() {
    return who + PRINTED;
  }
}
