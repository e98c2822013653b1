// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code radosfs top} shows is cut to the window of the terminal. */
class WindowTest {

  private static List<String> lines(int count) {
    return IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
  }

  @Test
  void whatHasRoomIsShownAsItIs() {
    assertThat(new Window(6, 80).cut(lines(5))).isEqualTo(lines(5));
  }

  @Test
  void theLastLineSaysHowManyAreLeftOut() {
    assertThat(new Window(5, 80).cut(lines(5)))
        .containsExactly("line 0", "line 1", "line 2", "… 2 more lines: the window is too low");
    assertThat(new Window(1, 80).cut(lines(5)))
        .containsExactly("… 5 more lines: the window is too low");
  }

  /** A long line would go on in the next row. */
  @Test
  void linesAreCutToTheWidth() {
    assertThat(new Window(9, 4).cut(List.of("abcd", "abcdef", "ä🙂cdef")))
        .containsExactly("abcd", "abcd", "ä🙂cd");
  }

  /** In a terminal of its own, whose size is changed while the program runs. */
  @Test
  void theWindowIsAsTheTerminalSays() throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    String program =
        "stty rows 7 cols 40 && exec '%s' -cp '%s' %s"
            .formatted(java, System.getProperty("java.class.path"), ScreenProgram.class.getName());
    Process script =
        new ProcessBuilder("script", "-qec", program, "/dev/null")
            .redirectErrorStream(true)
            .start();
    script.getOutputStream().close();
    String said = new String(script.getInputStream().readAllBytes(), UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("line 4")
        .doesNotContain("line 5")
        .contains("… 15 more lines")
        .contains("then line 1")
        .doesNotContain("then line 2")
        .contains("… 18 more lines");
  }
}
