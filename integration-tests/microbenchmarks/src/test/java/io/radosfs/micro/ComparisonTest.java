// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

  private static Results run(Map<String, Double> scores) {
    return new Results(new TreeMap<>(scores));
  }

  private static String compared(List<Results> before, List<Results> after) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Comparison.print(before, after, new PrintStream(text, true, StandardCharsets.UTF_8));
    return text.toString(StandardCharsets.UTF_8);
  }

  /** A machine that is slower in one turn is so for both commits. */
  @Test
  void ratiosAreOfTheSameTurn() {
    String table =
        compared(
            List.of(run(Map.of("a", 10.0)), run(Map.of("a", 40.0)), run(Map.of("a", 20.0))),
            List.of(run(Map.of("a", 11.0)), run(Map.of("a", 42.0)), run(Map.of("a", 24.0))));
    assertThat(table.lines().skip(1).findFirst().orElseThrow())
        .containsPattern("^a +20.00 +24.00 +1.10  1.05–1.20$");
  }

  @Test
  void aBenchmarkOfOneCommitIsNamed() {
    String table =
        compared(
            List.of(run(Map.of("a", 1.0, "old", 1.0))), List.of(run(Map.of("a", 1.0, "new", 1.0))));
    assertThat(table)
        .containsPattern("a +1.00 +1.00 +1.00")
        .containsPattern("old +only before")
        .containsPattern("new +only after");
  }

  @Test
  void asManyRunsOfEach() {
    Results run = run(Map.of("a", 1.0));
    assertThatThrownBy(() -> compared(List.of(run), List.of(run, run)))
        .hasMessage("1 runs before, 2 after");
  }

  @Test
  void parametersBelongToTheName(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("jmh.json");
    Files.writeString(
        file,
        """
        [{"benchmark": "io.radosfs.micro.StreamBenchmark.writeStream", "params": {"call": "1024"},
          "primaryMetric": {"score": 12.5, "scoreUnit": "us/op"}}]
        """);
    assertThat(Results.read(file).scores()).isEqualTo(Map.of("writeStream (call=1024)", 12.5));
  }

  @Test
  void anotherUnitIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("jmh.json");
    Files.writeString(
        file,
        """
        [{"benchmark": "io.radosfs.micro.StreamBenchmark.writeStream",
          "primaryMetric": {"score": 12.5, "scoreUnit": "ops/s"}}]
        """);
    assertThatThrownBy(() -> Results.read(file)).hasMessageContaining("not in us/op");
  }
}
