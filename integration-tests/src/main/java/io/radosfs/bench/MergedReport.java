// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.report.ReportReader;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * One report of several: a run takes at most what a session has, so that all figures together are
 * of several runs, each on a cluster of its own.
 */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Makes one report of those of earlier runs. Each figure is told with the run that it is"
            + " of.")
public final class MergedReport implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "FROM",
      description = "directories that --report named in earlier runs, or their report.json")
  private List<Path> from;

  @Option(
      names = "--report",
      required = true,
      paramLabel = "DIR",
      description =
          "write the report there: JSON, CSV, plots, and a page. It may be one of those that are"
              + " read")
  private Path report;

  /** Writes it and exits: 0 if it is written. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    CommandLine merge = new CommandLine(new MergedReport());
    merge.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          if (!(failure instanceof IOException)) {
            throw failure;
          }
          line.getErr().println(failure.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(merge.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    List<Measurement> runs = ReportReader.runs(from);
    ReportDirectory directory = new ReportDirectory(report);
    directory.write(runs);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    long figures =
        runs.stream()
            .flatMap(run -> run.figures().stream())
            .filter(figure -> !figure.isSample())
            .count();
    out.printf(
        "report of %d runs with %d figures: %s%n",
        runs.size(), figures, directory.page().toAbsolutePath());
    return CommandLine.ExitCode.OK;
  }
}
