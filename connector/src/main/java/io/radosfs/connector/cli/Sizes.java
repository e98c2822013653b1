// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.util.Locale;
import picocli.CommandLine.Option;

/** How sizes are shown to people: {@code 1.5 MiB}, as Ceph's own tools and `aws s3 ls` do. */
final class Sizes {

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int STEP = 1024;

  /** From here on one decimal would show 1024.0. */
  private static final double NEXT_UNIT = STEP - 0.05;

  @Option(
      names = {"-b", "--bytes"},
      description = "Show sizes as exact numbers of bytes, not as 1.5 MiB.")
  private boolean exact;

  /** The number alone if exact numbers are asked for. */
  String text(long bytes) {
    return exact ? Long.toString(bytes) : rounded(bytes);
  }

  /** With its unit in any case, for sentences. */
  String inWords(long bytes) {
    return exact ? bytes + " bytes" : rounded(bytes);
  }

  private static String rounded(long bytes) {
    if (bytes < STEP) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = 0;
    while (value >= NEXT_UNIT && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }
}
