// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** What a report has in it, in each of its forms. */
final class ReportDirectoryTest {

  private static final String ODD_NAME = "write, \"64-KiB\" calls <fast> & 1,000 files";

  @TempDir Path directory;

  @BeforeEach
  void writeAReport() throws Exception {
    List<Figure> figures =
        List.of(
            new Figure(
                "stream",
                ODD_NAME,
                "MiB/s",
                List.of(200.0, 100.0, 120.0),
                Optional.empty(),
                Optional.empty()),
            new Figure(
                "stream",
                "to rados bench",
                "",
                List.of(0.5, 0.75),
                Optional.of(Goal.atLeast(0.92)),
                Optional.empty()),
            point("depth 1", 1, 10),
            point("depth 1", 2, 20),
            // This line begins later than the other.
            point("depth 16", 2, 40));
    Findings findings =
        new Findings(
            "peers",
            "what a reader sees",
            List.of("peer", "during a commit"),
            List.of(List.of("S3A <v1>", "nothing & then parts")));
    Environment environment = new Environment(Map.of("Ceph daemons", "16.2"), Map.of("cores", "2"));
    new ReportDirectory(directory)
        .write(
            new Measurement(
                Instant.parse("2026-11-24T00:00:00Z"),
                Duration.ofMinutes(3),
                "scripts/bench stream --base 'rados://a/<b>'",
                environment,
                figures,
                List.of(findings),
                List.of(new FailedWork("limit", "2 streams <x>", "IOException: gone & lost"))));
  }

  private static Figure point(String series, double x, double median) {
    Point point = new Point("limit: write", series, "object size, MiB", x);
    return new Figure(
        "limit",
        series + " x " + x,
        "MiB/s",
        List.of(median),
        Optional.empty(),
        Optional.of(point));
  }

  @Test
  void csvGivesBackEachName() throws Exception {
    CSVFormat format = FiguresCsv.FORMAT.builder().setSkipHeaderRecord(true).get();
    List<CSVRecord> records;
    try (Reader text = Files.newBufferedReader(directory.resolve("figures.csv"))) {
      records = format.parse(text).getRecords();
    }

    assertThat(records).hasSize(5);
    assertThat(records.get(0).get("figure")).isEqualTo(ODD_NAME);
    assertThat(records.get(0).get("median")).isEqualTo("120.0");
    assertThat(records.get(0).get("repeats")).isEqualTo("200.0 100.0 120.0");
    assertThat(records.get(0).get("met")).isEmpty();
    assertThat(records.get(1).get("unit")).isEqualTo("ratio");
    assertThat(records.get(1).get("goal")).isEqualTo("≥ 0.92");
    assertThat(records.get(1).get("met")).isEqualTo("no");
  }

  @Test
  void jsonHasEachRepeatAndWhatTheRunWas() throws Exception {
    JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());

    assertThat(report.at("/command").asText()).contains("<b>");
    assertThat(report.at("/seconds").asDouble()).isEqualTo(180);
    assertThat(report.at("/versions/Ceph daemons").asText()).isEqualTo("16.2");
    assertThat(report.at("/machine/cores").asText()).isEqualTo("2");
    assertThat(report.at("/figures")).hasSize(5);
    assertThat(report.at("/figures/0/name").asText()).isEqualTo(ODD_NAME);
    assertThat(report.at("/figures/0/repeats")).hasSize(3);
    assertThat(report.at("/figures/0/spread").asDouble()).isEqualTo(100 / 120.0);
    assertThat(report.at("/figures/0/goal").isMissingNode()).isTrue();
    assertThat(report.at("/figures/1/goal/met").asBoolean(true)).isFalse();
    assertThat(report.at("/figures/2/point/series").asText()).isEqualTo("depth 1");
  }

  @Test
  void findingsAreWordsInRowsAndColumns() throws Exception {
    JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    String page = Files.readString(directory.resolve("index.html"));

    assertThat(report.at("/findings/0/title").asText()).isEqualTo("what a reader sees");
    assertThat(report.at("/findings/0/rows/0/peer").asText()).isEqualTo("S3A <v1>");
    assertThat(report.at("/findings/0/rows/0/during a commit").asText())
        .isEqualTo("nothing & then parts");
    assertThat(page).contains("<h2>peers: what a reader sees</h2>");
    assertThat(page).contains("<td>S3A &lt;v1&gt;</td><td>nothing &amp; then parts</td>");
  }

  @Test
  void aRowHasACellForEachColumn() {
    List<String> columns = List.of("peer", "during a commit");
    List<List<String>> rows = List.of(List.of("S3A"));

    assertThatThrownBy(() -> new Findings("peers", "title", columns, rows))
        .hasMessageContaining("1 cells in 2 columns");
  }

  @Test
  void whatFailedIsTold() throws Exception {
    JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    String page = Files.readString(directory.resolve("index.html"));

    assertThat(report.at("/failures/0/work").asText()).isEqualTo("2 streams <x>");
    assertThat(page).contains("1 missed. Failed works: 1.").contains("<h2>What failed</h2>");
    assertThat(page).contains("<td>2 streams &lt;x&gt;</td><td>IOException: gone &amp; lost</td>");
  }

  @Test
  void thePageNeedsNothingElse() throws Exception {
    String page = Files.readString(directory.resolve("index.html"));

    assertThat(page).contains("write, &quot;64-KiB&quot; calls &lt;fast&gt; &amp; 1,000 files");
    assertThat(page).contains("rados://a/&lt;b&gt;").contains("NOT MET");
    assertThat(page).contains("5 figures, 1 with a goal: 0 met, 1 missed.");
    assertThat(page).doesNotContain("<script", "<link", "http:", "https:");
    assertThat(page.split("src=\"data:image/svg\\+xml;base64,", -1)).hasSize(4);
  }

  @Test
  void eachPlotIsAnSvgOfItsOwn() throws Exception {
    List<String> names;
    try (Stream<Path> plots = Files.list(directory.resolve("plots"))) {
      names = plots.map(plot -> plot.getFileName().toString()).sorted().toList();
    }

    assertThat(names).containsExactly("limit-write.svg", "stream-mib-s.svg", "stream-ratios.svg");
    DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
    parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    for (String name : names) {
      Path plot = directory.resolve("plots").resolve(name);
      Element root = parsers.newDocumentBuilder().parse(plot.toFile()).getDocumentElement();
      assertThat(root.getNodeName()).isEqualTo("svg");
    }
  }
}
