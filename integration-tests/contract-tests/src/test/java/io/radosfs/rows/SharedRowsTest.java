// SPDX-License-Identifier: Apache-2.0
package io.radosfs.rows;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRowsTest {

  private static final int ROWS = 300;

  @TempDir private Path folder;

  @Test
  void aRowReplacesTheOneOfItsName() throws Exception {
    SharedRows table = new SharedRows(folder.resolve("table.md"));
    table.add(new TreeMap<>(Map.of("b", "| b | 1 |", "a", "| a | 1 |")));
    table.add(new TreeMap<>(Map.of("b", "| b | 2 |")));
    assertThat(Files.readAllLines(table.file())).containsExactly("| a | 1 |", "| b | 2 |");
  }

  /** A lock holds back other processes only, and only as long as the process keeps it. */
  @Test
  void noRowOfSeveralJvmsIsLost() throws Exception {
    Path file = folder.resolve("table.md");
    Path said = folder.resolve("said");
    List<Process> writers = new ArrayList<>();
    try {
      for (String name : List.of("first", "second", "third")) {
        writers.add(writer(file, name, said));
      }
      for (Process writer : writers) {
        assertThat(writer.waitFor(120, SECONDS)).isTrue();
        assertThat(writer.exitValue()).as(Files.readString(said)).isZero();
      }
    } finally {
      writers.forEach(Process::destroyForcibly);
    }
    assertThat(Files.readAllLines(file)).hasSize(3 * ROWS);
  }

  private static Process writer(Path file, String name, Path said) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    URI classes = SharedRows.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    return new ProcessBuilder(
            java, "-cp", Path.of(classes).toString(), Writer.class.getName(), file.toString(), name)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
        .start();
  }

  /** What each of the JVMs does. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      SharedRows table = new SharedRows(Path.of(arguments[0]));
      for (int row = 0; row < ROWS; row++) {
        String name = arguments[1] + row;
        table.add(new TreeMap<>(Map.of(name, "| " + name + " | 0 |")));
      }
    }
  }
}
