// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.radosfs.bench.report.Environment;
import io.radosfs.bench.report.FailedWork;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.Goal;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.report.ReportReader;
import io.radosfs.connector.docs.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Made-up reports become what the repository shows. */
final class PublicationTest {

  private static final String PEERS = "peers: 1,000 files";

  @TempDir Path folder;
  private Path repository;

  @BeforeEach
  void makeTheRepository() throws IOException {
    repository = Files.createDirectories(folder.resolve("repository"));
    Files.writeString(
        repository.resolve("README.md"), "# R\n<!-- plots: begin -->\n<!-- plots: end -->\nrest\n");
    Path docs = Files.createDirectories(repository.resolve("connector/docs"));
    Files.writeString(
        docs.resolve("benchmarks.md"),
        "# B\n<!-- results: begin -->\nold\n<!-- results: end -->\nend\n");
  }

  private static Figure bar(String part, String name, String unit, double value) {
    Optional<Goal> goal = unit.isEmpty() ? Optional.of(Goal.atLeast(0.9)) : Optional.empty();
    return new Figure(part, name, unit, List.of(value), goal, Optional.empty());
  }

  private static Figure query(int number, String side) {
    Point point = new Point("tpch: seconds of each query", side, "query", number);
    return new Figure(
        "tpch",
        "query " + number + ", " + side,
        "s",
        List.of(1.5),
        Optional.empty(),
        Optional.of(point));
  }

  private Path report(String name, int day, int osds, Figure... figures) throws IOException {
    return report(name, day, osds, "any", figures);
  }

  private Path report(String name, int day, int osds, String processor, Figure... figures)
      throws IOException {
    Map<String, String> machine = new TreeMap<>(Map.of("processor", processor, "osd.0", "a"));
    for (int osd = 1; osd < osds; osd++) {
      machine.put("osd." + osd, "b");
    }
    Path report = folder.resolve(name + "-" + day);
    new ReportDirectory(report)
        .write(
            new Measurement(
                Instant.parse("2026-11-0" + day + "T01:02:03Z"),
                Duration.ofMinutes(3),
                "scripts/bench " + name + " --report /root/somewhere/" + name,
                new Environment(Map.of("radosfs commit", "c" + day), machine),
                List.of(figures),
                List.of(
                    new Findings(
                        name,
                        "what a reader sees",
                        List.of("peer", "saw"),
                        List.of(List.of("a|b", "<all> of /tmp/x/y")))),
                List.of(
                    new FailedWork(
                        name,
                        "one",
                        "IOException: /tmp/gone/file: *no*, File file:/tmp/a/b file:///tmp/c is gone"))));
    return report;
  }

  private String publish(Path... reports) {
    List<String> arguments = new ArrayList<>(List.of("--repository", repository.toString()));
    Stream.of(reports).map(Path::toString).forEach(arguments::add);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(new CommandLine(new Publication()).execute(arguments.toArray(String[]::new)))
          .isZero();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  private String page() throws IOException {
    return Files.readString(repository.resolve("connector/docs/benchmarks.md"));
  }

  private List<String> shown() throws IOException {
    try (Stream<Path> files = Files.list(repository.resolve("connector/docs/benchmarks"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatIsThereIsDrawnAndTheRestIsNamedWithWhatItNeeds() throws IOException {
    String told =
        publish(
            report(
                "peers",
                1,
                1,
                bar(PEERS, "rados://, time", "s", 20),
                bar(PEERS, "S3A magic, time", "s", 470),
                bar(PEERS, "S3A magic, commitJob", "s", 22)),
            report("tpch", 2, 1, query(1, "rados://"), query(1, "local disk")));

    assertThat(shown())
        .containsExactly("figures.csv", "queries.svg", "report.json", "small-files.svg");
    Path plot = repository.resolve("connector/docs/benchmarks/queries.svg");
    assertThat(Files.readString(plot)).contains("<svg").doesNotContainPattern("\\.\\d{3}");
    assertThat(Files.readString(repository.resolve("README.md")))
        .startsWith("# R\n")
        .endsWith("rest\n")
        .contains("](connector/docs/benchmarks/small-files.svg)")
        .contains("](connector/docs/benchmarks/queries.svg)")
        .doesNotContain("streams.svg");
    assertThat(page())
        .startsWith("# B\n")
        .endsWith("end\n")
        .doesNotContain("\nold\n")
        .contains("](benchmarks/small-files.svg)", "](benchmarks/figures.csv)");
    assertThat(told)
        .contains("written: connector/docs/benchmarks/small-files.svg")
        .contains(
            "not drawn: streams.svg, as no run has figures of the part 'stream' that end in 'to"
                + " rados bench'");
    assertThat(page()).contains("No run has the plot 'tpcds: seconds of each query'.");
  }

  @Test
  void theTablesHaveEachRunAndNoPathOfTheMachine() throws IOException {
    String unused =
        publish(report("stream", 3, 1, bar("stream", "write to rados bench", "", 0.85)));

    assertThat(page())
        .contains("| 1 | `scripts/bench stream --report PATH` | 2026-11-03 | 3 min | c3 |")
        .contains("| 1 | stream | write to rados bench | 0.85 | 0.85–0.85 | ≥ 0.90 | NOT MET |")
        .contains("**stream: what a reader sees (run 1)**")
        .contains("| a\\|b | &lt;all> of PATH |")
        .contains("| 1 | stream | one | IOException: PATH \\*no\\*, File PATH PATH is gone |")
        .doesNotContain("/root", "/tmp");
    assertThat(Files.readString(repository.resolve("connector/docs/benchmarks/figures.csv")))
        .contains("scripts/bench stream --report PATH")
        .doesNotContain("/root");
  }

  @Test
  void ofWhatWasMeasuredAgainTheNewestCountsAndClustersAreToldApart() throws IOException {
    List<Measurement> runs =
        ReportReader.runs(
            List.of(
                report("b", 2, 1, bar("stream", "write to rados bench", "", 0.8)),
                report("a", 1, 1, bar("stream", "write to rados bench", "", 0.7)),
                report("c", 1, 3, bar("stream", "write to rados bench", "", 0.9))));
    NewestFigures newest = new NewestFigures(runs);

    assertThat(newest.that(figure -> true))
        .extracting(one -> one.osds() + " " + one.figure().median())
        .containsExactlyInAnyOrder("1 0.8", "3 0.9");
    ChosenPlot streams = ChosenPlots.first().get(1);
    assertThat(streams.shown(newest))
        .extracting(Figure::name)
        .containsExactlyInAnyOrder("write to rados bench, 1 OSD", "write to rados bench, 3 OSDs");
    assertThat(streams.draw(newest)).isPresent();
  }

  @Test
  void whatWasMeasuredAgainIsToldOnce() throws IOException {
    NewestFigures newest =
        new NewestFigures(
            ReportReader.runs(
                List.of(
                    report(
                        "spark",
                        1,
                        1,
                        bar("spark", "ORC to local disk", "", 1.17),
                        bar("spark", "JSON to local disk", "", 0.9)),
                    report("spark", 2, 1, bar("spark", "ORC to local disk", "", 0.95)))));

    assertThat(newest.runs())
        .extracting(
            run -> run.figures().stream().map(Figure::name).toList(),
            run -> run.findings().size(),
            run -> run.failures().size())
        .containsExactly(
            tuple(List.of("JSON to local disk"), 0, 0), tuple(List.of("ORC to local disk"), 1, 1));
  }

  @Test
  void whatAnotherKindOfMachineMeasuresReplacesNothingButInThePlots() throws IOException {
    NewestFigures newest =
        new NewestFigures(
            ReportReader.runs(
                List.of(
                    report("spark", 1, 1, "slow", bar("spark", "ORC to local disk", "", 1.17)),
                    report("spark", 2, 1, "slow", bar("spark", "ORC to local disk", "", 1.2)),
                    report("spark", 3, 1, "fast", bar("spark", "ORC to local disk", "", 0.9)))));

    assertThat(newest.runs())
        .extracting(run -> run.figures().get(0).median())
        .containsExactly(1.2, 0.9);
    assertThat(newest.that(figure -> true))
        .extracting(one -> one.figure().median())
        .containsExactly(0.9);
  }

  @Test
  void aSeriesSaysOnceHowManyOsdsThereAre() throws IOException {
    NewestFigures newest =
        new NewestFigures(
            ReportReader.runs(
                List.of(
                    report("scale", 1, 1, operations("1 OSD"), operations("model, 1 OSD")),
                    report("scale", 2, 3, operations("3 OSDs"), operations("model, 3 OSDs")))));

    assertThat(
            ChosenPlots.further().stream()
                .filter(plot -> plot.fileName().equals("operations.svg"))
                .flatMap(plot -> plot.shown(newest).stream())
                .map(figure -> figure.point().orElseThrow().series()))
        .containsExactlyInAnyOrder("1 OSD", "model, 1 OSD", "3 OSDs", "model, 3 OSDs");
  }

  /** It is of another run, on another cluster, and stands in each report. */
  @Test
  void whatIsPrintedElsewhereIsDrawnOnce() throws IOException {
    NewestFigures newest =
        new NewestFigures(
            ReportReader.runs(
                List.of(
                    report("paper", 1, 1, written("radosfs", 150.0), written("printed", 4.0)),
                    report(
                        "paper on 3", 2, 3, written("radosfs", 140.0), written("printed", 4.0)))));

    assertThat(
            ChosenPlots.further().stream()
                .filter(plot -> plot.fileName().equals("paper-parquet.svg"))
                .flatMap(plot -> plot.shown(newest).stream())
                .map(figure -> figure.point().orElseThrow().series()))
        .containsExactlyInAnyOrder("radosfs, 1 OSD", "printed", "radosfs, 3 OSDs");
  }

  private static Figure written(String series, double speed) {
    Point point =
        new Point(
            "paper: MiB of text a second of one task that writes Parquet, default buffer, pool"
                + " size 1",
            series,
            "MiB of text",
            64);
    return new Figure(
        "paper", series, "MiB/s", List.of(speed), Optional.empty(), Optional.of(point));
  }

  private static Figure operations(String series) {
    Point point = new Point("scale: operations at the OSDs by files", series, "files", 200);
    return new Figure(
        "scale of jobs, " + series,
        "operations at the OSDs, 200 files",
        "operations",
        List.of(698.0),
        Optional.empty(),
        Optional.of(point));
  }

  @Test
  void ofSeveralAmountsTheOneThatMostPeersDidIsDrawn() throws IOException {
    NewestFigures newest =
        new NewestFigures(
            ReportReader.runs(
                List.of(
                    report(
                        "peers",
                        1,
                        1,
                        bar(PEERS, "rados://, time", "s", 17),
                        bar("peers: 100 files", "rados://, time", "s", 2),
                        bar("peers: 100 files", "S3A magic, time", "s", 33)))));
    ChosenPlot files = ChosenPlots.first().get(0);
    assertThat(files.shown(newest))
        .allSatisfy(figure -> assertThat(figure.part()).endsWith(", 100 files"))
        .extracting(Figure::name)
        .containsExactly("rados://, time", "S3A magic, time");
    assertThat(files.draw(newest)).isPresent();
  }

  /** A report of paper has two thousand of them. */
  @Test
  void ofAPartWithManyFiguresTheTableHasThoseWithAGoal() throws IOException {
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      figures.add(bar("limit", "figure " + i, "MiB/s", i));
    }
    figures.add(bar("limit", "a ratio", "", 1));
    String unused = publish(report("limit", 1, 1, figures.toArray(Figure[]::new)));

    assertThat(page()).contains("| 1 | limit | a ratio |").doesNotContain("| figure 1 |");
  }

  @Test
  void resultsOfMicrobenchmarksAreKeptByTheirCommit() throws IOException {
    Path report = report("micro", 1, 1, bar("micro", "listing", "µs a call", 3));
    Files.writeString(report.resolve("micro-abc123.json"), "[]");
    String unused = publish(report);

    assertThat(repository.resolve("integration-tests/microbenchmarks/results/abc123.json"))
        .hasContent("[]");
    assertThat(page()).contains("| 1 | micro | listing | 3.00 µs a call |");
  }

  @Test
  void aSecondPublicationReplacesTheFirst() throws IOException {
    String unused = publish(report("peers", 1, 1, bar(PEERS, "rados://, time", "s", 20)));
    String unusedToo = publish(report("tpch", 2, 1, query(1, "rados://")));

    assertThat(shown()).containsExactly("figures.csv", "queries.svg", "report.json");
    assertThat(page()).doesNotContain("small-files.svg");
  }

  @Test
  void aSecondPublicationAddsToTheFirstIfItReadsIt() throws IOException {
    Path peers = report("peers", 1, 1, bar(PEERS, "rados://, time", "s", 20));
    String unused = publish(peers);
    Path published = repository.resolve("connector/docs/benchmarks");
    String unusedToo = publish(published, report("tpch", 2, 1, query(1, "rados://")), peers);

    assertThat(shown())
        .containsExactly("figures.csv", "queries.svg", "report.json", "small-files.svg");
    assertThat(page())
        .contains("| 1 | `scripts/bench peers", "| 2 | `scripts/bench tpch")
        .doesNotContain("| 3 |");
    assertThat(Files.readString(published.resolve("report.json"))).doesNotContain("/root", "/tmp");
  }

  @Test
  void aRunIsLeftOutWhereNewerOnesHaveAllOfIt() throws IOException {
    Figure one = bar("stream", "write", "MiB/s", 1);
    Figure other = bar("stream", "read", "MiB/s", 1);
    List<Measurement> runs =
        new ArrayList<>(ReportReader.runs(List.of(report("stream", 1, 1, one))));
    runs.addAll(
        ReportReader.runs(
            List.of(
                report("three OSDs", 2, 3, one),
                report("another table", 3, 1, one, other),
                report("stream", 4, 1, one))));

    assertThat(new NewestFigures(runs).runs())
        .extracting(run -> run.environment().commit())
        .containsExactly("c2", "c3", "c4");
  }

  @Test
  void aPageWithoutTheCommentsIsLeftAsItIs() throws IOException {
    Path page = Files.writeString(folder.resolve("page.md"), "<!-- plots: begin -->\n");

    assertThatThrownBy(() -> new MarkedText(page, "plots").with("text"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not have the line <!-- plots: end --> once");
  }

  @Test
  void thePagesOfTheRepositoryHaveTheComments() throws IOException {
    Path page = Repository.top().resolve("connector/docs/benchmarks.md");
    Path readme = Repository.top().resolve("README.md");

    assertThat(new MarkedText(page, "results").with("| new |")).contains("\n| new |\n");
    assertThat(new MarkedText(readme, "plots").with("![new](x)")).contains("\n![new](x)\n");
  }

  @Test
  void thereAreAtMostTenAndThreeAreTheFirst() {
    assertThat(ChosenPlots.first()).hasSize(3);
    assertThat(
            Stream.concat(ChosenPlots.first().stream(), ChosenPlots.further().stream())
                .map(ChosenPlot::fileName))
        .hasSizeLessThanOrEqualTo(10)
        .doesNotHaveDuplicates();
  }
}
