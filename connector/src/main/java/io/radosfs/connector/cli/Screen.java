// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** A terminal on which one text takes the place of the last (ECMA-48). */
final class Screen {

  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private Screen() {}

  /**
   * Lines are written over those of before, so that nothing flickers. Those that the window has no
   * room for would move the others out of it, and are left out.
   */
  static void show(PrintWriter out, String text, Optional<Window> window) {
    List<String> lines = text.lines().toList();
    out.print(HOME);
    window
        .map(size -> size.cut(lines))
        .orElse(lines.stream())
        .forEach(line -> out.print(line + REST_OF_LINE + System.lineSeparator()));
    out.print(REST_OF_SCREEN);
    out.flush();
  }
}
