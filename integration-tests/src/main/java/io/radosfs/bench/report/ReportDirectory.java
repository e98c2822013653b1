// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where a report is written: report.json, figures.csv, index.html, and plots/*.svg. */
public final class ReportDirectory {

  private final Path directory;

  public ReportDirectory(Path directory) {
    this.directory = directory;
  }

  /** The page to look at. */
  public Path page() {
    return directory.resolve("index.html");
  }

  /** Replaces what an earlier call wrote: a run that breaks off leaves the parts before. */
  public void write(Measurement report) throws IOException {
    Path plotsDirectory = Files.createDirectories(directory.resolve("plots"));
    Files.writeString(directory.resolve("report.json"), ReportJson.of(report));
    Files.writeString(directory.resolve("figures.csv"), FiguresCsv.of(report.figures()));
    List<Plot> plots = Plots.of(report.figures());
    for (Plot plot : plots) {
      Files.writeString(plotsDirectory.resolve(plot.fileName()), plot.svg());
    }
    Files.writeString(page(), Page.of(report, plots));
  }
}
