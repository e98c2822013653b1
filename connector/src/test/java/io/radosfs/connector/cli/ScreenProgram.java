// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Shows 20 lines in the terminal that it runs in, twice: as it is, and after it was made lower.
 *
 * <p>It is not in {@code programs}, as {@link Screen} and {@link Window} are for this package
 * alone.
 */
final class ScreenProgram {

  private ScreenProgram() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    PrintWriter out = new PrintWriter(System.out, true, UTF_8);
    Screen.show(out, lines("line "), Window.now());
    int status =
        new ProcessBuilder("stty", "rows", "4")
            .redirectInput(new File("/dev/tty"))
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("stty ended with " + status);
    }
    Screen.show(out, lines("then line "), Window.now());
  }

  private static String lines(String word) {
    return IntStream.range(0, 20).mapToObj(i -> word + i).collect(Collectors.joining("\n"));
  }
}
