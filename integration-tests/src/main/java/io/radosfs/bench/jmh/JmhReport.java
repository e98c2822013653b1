// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.jmh;

import io.radosfs.bench.report.Environment;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the report of {@code scripts/bench micro}, or of {@code compare}. */
@Command(
    name = "jmh-report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes a report of what JMH has written.")
public final class JmhReport implements Callable<Integer> {

  @Option(names = "--report", required = true, description = "write the report there")
  private Path report;

  @Option(names = "--results", description = "the results of one commit alone")
  private Path results;

  @Option(names = "--before", description = "results of one commit of two, a run each")
  private List<Path> before = List.of();

  @Option(names = "--after", description = "those of the other, in as many runs")
  private List<Path> after = List.of();

  @Option(names = "--commit", required = true, description = "radosfs's; of two the one after")
  private String commit;

  @Option(names = "--commit-before", description = "of two commits the one before")
  private String commitBefore;

  @Option(names = "--started", required = true, description = "in seconds since 1970")
  private long started;

  @Option(names = "--command", required = true, description = "what was typed")
  private String command;

  /** Writes it and exits: 0 if it is written. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    System.exit(new CommandLine(new JmhReport()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (results != null) {
      JmhResults one = JmhResults.read(results);
      write(one, JmhFigures.of(one));
      Path kept = report.resolve(keptName(commit));
      Path unused = Files.writeString(kept, one.toBeKept());
      out.println("results: " + kept.toAbsolutePath());
    } else {
      List<JmhResults> ofBefore = read(before);
      List<JmhResults> ofAfter = read(after);
      write(ofAfter.get(0), JmhFigures.of(ofBefore, ofAfter));
    }
    out.println("report: " + new ReportDirectory(report).page().toAbsolutePath());
    return CommandLine.ExitCode.OK;
  }

  /** The name of the file that the repository keeps, in a report's directory. */
  static String keptName(String commit) {
    return "micro-" + commit + ".json";
  }

  private static List<JmhResults> read(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      throw new IOException("a report is of --results, or of --before and --after");
    }
    List<JmhResults> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(JmhResults.read(file));
    }
    return runs;
  }

  private void write(JmhResults measuredBy, List<Figure> figures) throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    if (commitBefore != null) {
      versions.put("commit before", commitBefore);
    }
    versions.putAll(measuredBy.versions());
    Instant begin = Instant.ofEpochSecond(started);
    new ReportDirectory(report)
        .write(
            new Measurement(
                begin,
                Duration.between(begin, Instant.now()),
                command,
                Environment.withoutCluster(commit, versions),
                figures,
                List.of(),
                List.of()));
  }
}
