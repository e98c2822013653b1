// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The size of the terminal's window, which people change while a program runs.
 *
 * @param rows how many lines it shows
 * @param columns how many characters it shows of each
 */
record Window(int rows, int columns) {

  private static final Pattern SIZE = Pattern.compile("(\\d+) (\\d+)");
  private static final File TERMINAL = new File("/dev/tty");

  /** The size now, as {@code stty} says; empty where that has none to say. */
  static Optional<Window> now() throws InterruptedIOException {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(stty.getInputStream().readAllBytes(), US_ASCII).strip();
      return stty.waitFor() == 0 ? of(said) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (IOException e) {
      return Optional.empty(); // no stty, or no terminal
    }
  }

  /** A terminal that does not know its size says 0. */
  private static Optional<Window> of(String said) {
    Matcher size = SIZE.matcher(said);
    return size.matches() && !size.group(1).equals("0") && !size.group(2).equals("0")
        ? Optional.of(new Window(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
        : Optional.empty();
  }

  /**
   * Returns the lines that it has room for, cut to its width. The last row stays free for the
   * cursor, and where lines are left out, the last line says how many.
   */
  Stream<String> cut(List<String> lines) {
    int room = Math.max(1, rows - 1);
    Stream<String> shown =
        lines.size() <= room
            ? lines.stream()
            : Stream.concat(
                lines.stream().limit(room - 1),
                Stream.of("… " + (lines.size() - room + 1) + " more lines: the window is too low"));
    return shown.map(
        line ->
            line.codePointCount(0, line.length()) <= columns
                ? line
                : line.substring(0, line.offsetByCodePoints(0, columns)));
  }
}
