// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/** What a shell makes of a line. */
public final class ShellWords {

  private ShellWords() {}

  /** The words of a line of one command, by this machine's shell. It runs nothing. */
  public static List<String> of(String line) throws IOException {
    Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\0' " + line).start();
    String words = new String(shell.getInputStream().readAllBytes(), UTF_8);
    return List.of(words.split("\0"));
  }
}
