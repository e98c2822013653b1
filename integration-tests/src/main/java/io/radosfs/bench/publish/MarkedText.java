// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of a page that is written by a program: the lines between two comments, which readers do
 * not see.
 *
 * @param name of the part, which is in both comments
 */
record MarkedText(Path page, String name) {

  /**
   * The page with another text there. The page itself is left as it is.
   *
   * @throws IOException if the page does not have both comments, each once and in their order
   */
  String with(String text) throws IOException {
    String before = Files.readString(page);
    int begin = only(before, "<!-- " + name + ": begin -->") + begin().length();
    int end = only(before, "<!-- " + name + ": end -->");
    if (end < begin) {
      throw new IOException(page + " has the end of " + name + " before its begin");
    }
    String lines = text.isEmpty() ? "\n" : "\n" + text.strip() + "\n";
    return before.substring(0, begin) + lines + before.substring(end);
  }

  private String begin() {
    return "<!-- " + name + ": begin -->";
  }

  private int only(String text, String comment) throws IOException {
    int at = text.indexOf(comment);
    if (at < 0 || text.indexOf(comment, at + 1) >= 0) {
      throw new IOException(page + " does not have the line " + comment + " once");
    }
    return at;
  }
}
