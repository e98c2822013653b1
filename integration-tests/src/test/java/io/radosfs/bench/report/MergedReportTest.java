// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report of several runs has all that theirs have, and says of which run it is. */
final class MergedReportTest {

  private static final Findings TABLE =
      new Findings("peers", "left out", List.of("work", "why"), List.of(List.of("all", "long")));

  private static final FailedWork FAILURE = new FailedWork("peers", "S3A", "IOException: gone");

  @TempDir Path directory;

  private static Figure ratio(double value) {
    Optional<Goal> goal = Optional.of(Goal.atMost(1.1));
    return new Figure("spark", "to local disk", "", List.of(value), goal, Optional.empty());
  }

  private static Figure point() {
    Point point = new Point("limit: write", "depth 1", "MiB", 4);
    return new Figure(
        "limit", "4 MiB", "MiB/s", List.of(1.5, 2.5), Optional.empty(), Optional.of(point));
  }

  private static Measurement run(String command, String commit, int osds, Figure... figures) {
    Map<String, String> machine =
        osds == 1 ? Map.of("cores", "2", "osd.0", "any") : Map.of("osd.0", "a", "osd.1", "b");
    return new Measurement(
        Instant.parse("2026-11-27T01:02:03.456Z"),
        Duration.ofMillis(61_500),
        command,
        new Environment(Map.of("radosfs commit", commit), machine),
        List.of(figures),
        List.of(TABLE),
        List.of(FAILURE));
  }

  private Path written(String name, Measurement... runs) throws IOException {
    Path report = directory.resolve(name);
    new ReportDirectory(report).write(List.of(runs));
    return report;
  }

  private JsonNode json(Path report) throws IOException {
    return new ObjectMapper().readTree(report.resolve("report.json").toFile());
  }

  private final Measurement one = run("scripts/bench spark", "aaaa", 1, ratio(0.9), point());
  private final Measurement two = run("scripts/bench <spark>", "bbbb", 2, ratio(1.2));

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    assertThat(ReportReader.runs(List.of(written("one", one)))).containsExactly(one);
  }

  @Test
  void severalRunsAreReadFromDirectoriesAndFilesInTheirOrder() throws Exception {
    Path first = written("one", one).resolve("report.json");
    Path second = written("two", two);

    assertThat(ReportReader.runs(List.of(second, first))).containsExactly(two, one);
  }

  @Test
  void aMergedReportIsMergedAgainWithoutARunTwice() throws Exception {
    Path both = written("both", one, two);

    assertThat(ReportReader.runs(List.of(both, written("two", two)))).containsExactly(one, two);
  }

  @Test
  void jsonHasEachRunWithItsEnvironment() throws Exception {
    JsonNode merged = json(written("both", one, two));

    assertThat(merged.at("/runs")).hasSize(2);
    assertThat(merged.at("/runs/0/versions/radosfs commit").asText()).isEqualTo("aaaa");
    assertThat(merged.at("/runs/1/command").asText()).isEqualTo("scripts/bench <spark>");
    assertThat(merged.at("/runs/1/figures/0/repeats/0").asDouble()).isEqualTo(1.2);
  }

  @Test
  void eachLineOfCsvTellsOfItsRun() throws Exception {
    Path merged = written("both", one, two);
    CSVFormat format = FiguresCsv.FORMAT.builder().setSkipHeaderRecord(true).get();
    List<CSVRecord> records;
    try (Reader text = Files.newBufferedReader(merged.resolve("figures.csv"))) {
      records = format.parse(text).getRecords();
    }

    assertThat(records).extracting(line -> line.get("run")).containsExactly("1", "1", "2");
    assertThat(records)
        .extracting(line -> line.get("commit"))
        .containsExactly("aaaa", "aaaa", "bbbb");
    assertThat(records.get(0).get("started")).isEqualTo("2026-11-27T01:02:03.456Z");
    assertThat(records.get(0).get("machine"))
        .isEqualTo("2 cores, unknown, memory unknown, OSDs: 1");
    assertThat(records.get(2).get("machine")).endsWith("OSDs: 2");
    assertThat(records.get(2).get("command")).isEqualTo("scripts/bench <spark>");
  }

  @Test
  void thePageHasASectionForEachRun() throws Exception {
    String page = Files.readString(written("both", one, two).resolve("index.html"));

    assertThat(page).contains("<h2 id=\"run-1\">Run 1</h2>", "<h2 id=\"run-2\">Run 2</h2>");
    assertThat(page).contains("<td>scripts/bench &lt;spark&gt;</td>", "<td>bbbb</td>");
    assertThat(page).contains("1 figures, 1 with a goal: 0 met, 1 missed. Failed works: 1.");
    assertThat(page.split("<h3>spark</h3>", -1)).hasSize(3);
    assertThat(page).doesNotContain("<script", "<link", "http:", "https:");
  }

  @Test
  void plotsOfOneTitleSayOfWhichRunTheyAreAndOthersKeepTheirName() throws Exception {
    assertThat(plots(written("both", one, two)))
        .containsExactly("limit-write.svg", "spark-ratios-run-1.svg", "spark-ratios-run-2.svg");
  }

  @Test
  void aReportLeavesNoPlotsOfTheOneThatItReplaces() throws Exception {
    Path merged = written("both", one, two);

    assertThat(plots(written("both", two))).containsExactly("spark-ratios.svg");
    assertThat(ReportReader.runs(List.of(merged))).containsExactly(two);
  }

  private static List<String> plots(Path report) throws IOException {
    try (Stream<Path> plots = Files.list(report.resolve("plots"))) {
      return plots.map(plot -> plot.getFileName().toString()).sorted().toList();
    }
  }

  /** Those of the first commits told neither failures nor the columns of a table. */
  @Test
  void anEarlierReportIsRead() throws Exception {
    Path report = written("one", one);
    ObjectNode json = (ObjectNode) json(report);
    json.remove("failures");
    ((ObjectNode) json.at("/findings/0")).remove("columns");
    Files.writeString(report.resolve("report.json"), json.toString());

    Measurement read = ReportReader.runs(List.of(report)).get(0);

    assertThat(read.failures()).isEmpty();
    assertThat(read.findings()).containsExactly(TABLE);
    assertThat(read.figures()).isEqualTo(one.figures());
  }

  @Test
  void aFileThatIsNoReportIsNamed() throws Exception {
    Path report = Files.writeString(directory.resolve("micro.json"), "{\"started\": \"today\"}");

    assertThatThrownBy(() -> ReportReader.runs(List.of(report)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("micro.json is no report of scripts/bench");
  }
}
