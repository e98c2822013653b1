// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.PaperCase.Buffer;
import io.radosfs.bench.PaperCase.Format;
import io.radosfs.bench.report.Point;
import java.util.Locale;
import java.util.Map;

/**
 * What FACTS, the project's list of what was found by trying, prints of spark-ceph-connector
 * v1.1.0: seconds of one task that writes 64 MiB to a cluster of one OSD. They are drawn beside
 * what is measured, and say so. The figures that the paper itself prints are not in that list.
 */
final class PrintedSpeeds {

  static final int MIB = 64;

  private static final String SOURCE =
      "spark-ceph-connector v1.1.0, printed in FACTS, not measured here";

  private static final Map<Format, Double> SECONDS =
      Map.of(Format.TEXT, 159.0, Format.JSON, 13.7, Format.ORC, 3.2, Format.PARQUET, 17.3);

  private PrintedSpeeds() {}

  /** Where they were taken: with one copy, and the buffer that nobody has set. */
  static void add(Figures figures, int copies, Buffer buffer, Format format) {
    if (copies != 1 || buffer != Buffer.DEFAULT || !SECONDS.containsKey(format)) {
      return;
    }
    Samples speed = new Samples();
    speed.add(MIB / SECONDS.get(format));
    String name = String.format(Locale.ROOT, "%s, %d MiB, %s", format.title(), MIB, SOURCE);
    String plot = PaperCase.speedPlot(copies, buffer, format);
    figures.note(name, speed, "MiB/s", new Point(plot, SOURCE, PaperCase.MIB_OF_TEXT, MIB));
  }
}
