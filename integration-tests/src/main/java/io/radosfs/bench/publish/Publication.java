// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.FiguresCsv;
import io.radosfs.bench.report.MarkdownTables;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.Plot;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.report.ReportJson;
import io.radosfs.bench.report.ReportReader;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Puts reports into the repository: tables and plots on the page on benchmarks, three plots on the
 * first page, all figures as CSV, and JMH's results of the microbenchmarks. What an earlier call
 * has put there is replaced, but for JMH's results, which are kept for each commit. All runs are
 * there as a report, too, so that a later call can add to them.
 */
@Command(
    name = "publish",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Puts the reports of earlier runs into the repository's pages.")
public final class Publication implements Callable<Integer> {

  private static final String PAGE = "connector/docs/benchmarks.md";
  private static final String FOLDER = "benchmarks";
  private static final String CSV = "figures.csv";
  private static final String KEPT = "integration-tests/microbenchmarks/results";
  private static final String MICRO = "micro-";

  @Parameters(
      arity = "1..*",
      paramLabel = "FROM",
      description =
          "directories that --report named in earlier runs, and that of an earlier publication")
  private List<Path> from;

  @Option(names = "--repository", required = true, description = "the top folder of the sources")
  private Path repository;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Publishes and exits: 0 if all is written, whether or not every plot could be drawn. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    CommandLine publish = new CommandLine(new Publication());
    publish.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          if (!(failure instanceof IOException)) {
            throw failure;
          }
          line.getErr().println(failure.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(publish.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    // What was published before is without paths already, and may be of one of the other reports.
    List<Measurement> all =
        ReportReader.runs(from).stream().map(WithoutPaths::of).distinct().toList();
    NewestFigures newest = new NewestFigures(all);
    List<Measurement> runs = newest.runs();
    Map<ChosenPlot, Plot> drawn = new LinkedHashMap<>();
    List<ChosenPlot> missing = new ArrayList<>();
    for (ChosenPlot chosen : plots()) {
      Optional<Plot> plot = chosen.draw(newest);
      plot.ifPresent(one -> drawn.put(chosen, one));
      if (plot.isEmpty()) {
        missing.add(chosen);
      }
    }
    // What a page cannot take is told before anything is written.
    MarkedText results = new MarkedText(repository.resolve(PAGE), "results");
    MarkedText plots = new MarkedText(repository.resolve("README.md"), "plots");
    String page = results.with(results(runs, drawn.keySet(), missing));
    String readme = plots.with(firstPlots(drawn.keySet()));

    Path folder = Files.createDirectories(repository.resolve(PAGE).resolveSibling(FOLDER));
    for (Map.Entry<ChosenPlot, Plot> plot : drawn.entrySet()) {
      write(folder.resolve(plot.getKey().fileName()), inShort(plot.getValue().svg()));
    }
    removeOthers(
        folder, drawn.keySet().stream().map(ChosenPlot::fileName).collect(Collectors.toSet()));
    write(folder.resolve(ReportDirectory.JSON), ReportJson.of(runs));
    write(folder.resolve(CSV), FiguresCsv.of(runs));
    write(results.page(), page);
    write(plots.page(), readme);
    keepMicrobenchmarks();
    missing.forEach(
        plot -> out.printf("not drawn: %s, as no run has %s%n", plot.fileName(), plot.needed()));
    return CommandLine.ExitCode.OK;
  }

  private static List<ChosenPlot> plots() {
    return Stream.concat(ChosenPlots.first().stream(), ChosenPlots.further().stream()).toList();
  }

  private static String results(
      List<Measurement> runs, Set<ChosenPlot> drawn, List<ChosenPlot> missing) {
    StringBuilder text = new StringBuilder();
    text.append("All figures with every repeat are in [").append(CSV).append("](");
    text.append(FOLDER).append('/').append(CSV).append("). Of a part that has many, the table has");
    text.append(" those with a goal.\n\n");
    drawn.forEach(plot -> text.append(image(plot, FOLDER + "/")));
    for (ChosenPlot plot : missing) {
      text.append("Not drawn: ").append(plot.title()).append(". No run has ");
      text.append(plot.needed()).append(".\n\n");
    }
    return text.append(MarkdownTables.of(runs)).toString();
  }

  private static String firstPlots(Set<ChosenPlot> drawn) {
    return ChosenPlots.first().stream()
        .filter(drawn::contains)
        .map(plot -> image(plot, "connector/docs/" + FOLDER + "/"))
        .collect(Collectors.joining());
  }

  private static String image(ChosenPlot plot, String folder) {
    return "![" + plot.title() + "](" + folder + plot.fileName() + ")\n\n";
  }

  /** Places to a hundredth of a pixel: a plot has thousands of them, and each commit keeps all. */
  private static String inShort(String svg) {
    return svg.replaceAll("(\\d\\.\\d\\d)\\d+", "$1");
  }

  private void keepMicrobenchmarks() throws IOException {
    Path kept = repository.resolve(KEPT);
    for (Path directory : from) {
      if (!Files.isDirectory(directory)) {
        continue;
      }
      List<Path> results;
      try (Stream<Path> files = Files.list(directory)) {
        results = files.filter(Publication::isOfMicrobenchmarks).sorted().toList();
      }
      for (Path one : results) {
        String commit = one.getFileName().toString().substring(MICRO.length());
        write(Files.createDirectories(kept).resolve(commit), Files.readString(one));
      }
    }
  }

  private static boolean isOfMicrobenchmarks(Path file) {
    return file.getFileName().toString().matches(MICRO + ".+\\.json");
  }

  private void write(Path file, String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
    Path unused = Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    out.println("written: " + repository.relativize(file));
  }

  /** Plots of an earlier publication. */
  private static void removeOthers(Path folder, Set<String> plots) throws IOException {
    List<Path> others;
    try (Stream<Path> files = Files.list(folder)) {
      others =
          files
              .filter(file -> file.toString().endsWith(".svg"))
              .filter(file -> !plots.contains(file.getFileName().toString()))
              .toList();
    }
    for (Path other : others) {
      Files.delete(other);
    }
  }
}
