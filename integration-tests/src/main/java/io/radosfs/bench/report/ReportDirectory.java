// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Where a report is written: report.json, figures.csv, index.html, and plots/*.svg. */
public final class ReportDirectory {

  /** The file that {@link ReportReader} reads. */
  public static final String JSON = "report.json";

  private static final String SVG = ".svg";

  private final Path directory;

  public ReportDirectory(Path directory) {
    this.directory = directory;
  }

  /** The page to look at. */
  public Path page() {
    return directory.resolve("index.html");
  }

  /** Replaces what an earlier call wrote: a run that breaks off leaves the works before. */
  public void write(Measurement run) throws IOException {
    write(List.of(run));
  }

  /** Replaces what is there by a report of several runs, each with what tells of it. */
  public void write(List<Measurement> runs) throws IOException {
    Path plotsDirectory = Files.createDirectories(directory.resolve("plots"));
    replace(directory.resolve(JSON), ReportJson.of(runs));
    replace(directory.resolve("figures.csv"), FiguresCsv.of(runs));
    Set<String> shared = sharedTitles(runs);
    Set<String> files = new HashSet<>();
    List<Page.Run> drawn = new ArrayList<>();
    for (Measurement run : runs) {
      String suffix = ", run " + (drawn.size() + 1);
      UnaryOperator<String> titled = title -> shared.contains(title) ? title + suffix : title;
      List<Plot> plots = Plots.of(run.figures(), titled);
      for (Plot plot : plots) {
        replace(plotsDirectory.resolve(plot.fileName()), plot.svg());
        files.add(plot.fileName());
      }
      drawn.add(new Page.Run(run, plots));
    }
    removeOthers(plotsDirectory, files);
    replace(page(), Page.of(drawn));
  }

  /** At once, so that a run that is killed while it reports leaves the report before. */
  private static void replace(Path file, String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
    Path unused = Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Of plots that several runs have: each of them says of which run it is. */
  private static Set<String> sharedTitles(List<Measurement> runs) {
    Set<String> seen = new HashSet<>();
    Set<String> shared = new HashSet<>();
    for (Measurement run : runs) {
      for (String title : Plots.titles(run.figures())) {
        if (!seen.add(title)) {
          shared.add(title);
        }
      }
    }
    return shared;
  }

  /** Plots of an earlier report, which this one does not have. */
  private static void removeOthers(Path plotsDirectory, Set<String> files) throws IOException {
    List<Path> others;
    try (Stream<Path> all = Files.list(plotsDirectory)) {
      others =
          all.filter(file -> file.toString().endsWith(SVG))
              .filter(file -> !files.contains(file.getFileName().toString()))
              .toList();
    }
    for (Path other : others) {
      Files.delete(other);
    }
  }
}
