// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;

/** A terminal on which one text takes the place of the last (ECMA-48). */
final class Screen {

  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private Screen() {}

  /** Lines are written over those of before, so that nothing flickers. */
  static void show(PrintWriter out, String text) {
    out.print(HOME);
    text.lines().forEach(line -> out.print(line + REST_OF_LINE + System.lineSeparator()));
    out.print(REST_OF_SCREEN);
    out.flush();
  }
}
