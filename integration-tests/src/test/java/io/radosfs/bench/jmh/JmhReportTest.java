// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class JmhReportTest {

  private static final String RESULT =
      """
      {"jmhVersion": "1.37", "benchmark": "io.radosfs.micro.StreamBenchmark.writeStream",
       "jvm": "/somewhere/java", "jvmArgs": ["-Da=/b"], "jdkVersion": "17.0.1", "vmName": "VM",
       "vmVersion": "17.0.1+1", "forks": 1, "params": {"call": "1024"},
       "primaryMetric": {"score": %1$s, "scoreUnit": "us/op", "rawData": [[%1$s, 20.0], [30.0]]}}
      """;

  @TempDir Path folder;

  private Path results(String name, double score) throws IOException {
    String other = RESULT.formatted(score).replace("writeStream", name).replace("\"1024\"", "1");
    return Files.writeString(
        folder.resolve(name + score + ".json"), "[" + RESULT.formatted(score) + ", " + other + "]");
  }

  private Measurement report(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("--report", folder.resolve("report").toString()));
    arguments.addAll(List.of("--started", "1795780000", "--command", "scripts/bench micro"));
    arguments.addAll(List.of("--commit", "aaaa"));
    assertThat(new CommandLine(new JmhReport()).execute(arguments.toArray(String[]::new))).isZero();
    return ReportReader.runs(List.of(folder.resolve("report"))).get(0);
  }

  @Test
  void eachIterationOfMicroIsARepeat() throws IOException {
    Measurement report = report("--results", results("readStream", 10).toString());

    Figure write = report.figures().get(1);
    assertThat(report.figures())
        .extracting(Figure::name)
        .containsExactly("readStream (call=1)", "writeStream (call=1024)");
    assertThat(write.part()).isEqualTo("micro");
    assertThat(write.unit()).isEqualTo("µs a call");
    assertThat(write.repeats()).containsExactly(10.0, 20.0, 30.0);
    assertThat(report.environment().versions())
        .containsEntry("radosfs commit", "aaaa")
        .containsEntry("JMH", "1.37")
        .containsEntry("JVM", "VM 17.0.1+1");
    assertThat(report.environment().osds()).isZero();
  }

  /** What is put into the repository tells of no folder of the machine. */
  @Test
  void whatIsKeptIsNamedByItsCommitAndHasNoPaths() throws IOException {
    Measurement unused = report("--results", results("readStream", 10).toString());
    Path kept = folder.resolve("report/micro-aaaa.json");

    assertThat(Files.readString(kept)).doesNotContain("/somewhere", "/b").contains("rawData");
    assertThat(JmhResults.read(kept).scores()).containsEntry("writeStream (call=1024)", 10.0);
    assertThat(new ObjectMapper().readTree(kept.toFile())).hasSize(2);
  }

  @Test
  void eachTurnOfCompareIsARepeat() throws IOException {
    Measurement report =
        report(
            "--before", results("old", 10).toString(),
            "--before", results("old", 40).toString(),
            "--after", results("new", 11).toString(),
            "--after", results("new", 42).toString(),
            "--commit-before", "bbbb");

    assertThat(report.figures())
        .extracting(Figure::name)
        .containsExactly(
            "writeStream (call=1024), before",
            "writeStream (call=1024), after",
            "writeStream (call=1024), after to before");
    assertThat(report.figures().get(2).isRatio()).isTrue();
    assertThat(report.figures().get(2).repeats()).containsExactly(1.1, 1.05);
    assertThat(report.environment().versions()).containsEntry("commit before", "bbbb");
    assertThat(folder.resolve("report/micro-aaaa.json")).doesNotExist();
  }

  @Test
  void asManyRunsOfEach() throws IOException {
    JmhResults run = JmhResults.read(results("any", 1));

    assertThatThrownBy(() -> JmhFigures.of(List.of(run), List.of(run, run)))
        .hasMessage("1 runs before, 2 after");
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.json"), "[]");
    Path unit =
        Files.writeString(
            folder.resolve("unit.json"), "[" + RESULT.formatted(1).replace("us/op", "ops/s") + "]");

    assertThatThrownBy(() -> JmhResults.read(empty)).hasMessageContaining("no results of JMH");
    assertThatThrownBy(() -> JmhResults.read(unit)).hasMessageContaining("not in us/op");
  }
}
