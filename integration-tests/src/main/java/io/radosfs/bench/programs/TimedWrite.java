// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program tells of a write, by a line that it prints.
 *
 * @param side the title of where it wrote
 */
public record TimedWrite(String side, long nanos) {

  private static final Pattern LINE = Pattern.compile("took (\\d+) ns: (.+)");

  String line() {
    return "took " + nanos + " ns: " + side;
  }

  /** Nothing where a line is something else, such as what a library prints. */
  public static Optional<TimedWrite> of(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? Optional.of(new TimedWrite(matcher.group(2), Long.parseLong(matcher.group(1))))
        : Optional.empty();
  }

  public double seconds() {
    return nanos / 1e9;
  }
}
