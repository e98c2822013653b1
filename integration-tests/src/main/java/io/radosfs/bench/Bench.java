// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.report.Environment;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.report.TextTable;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The benchmark's command line. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures radosfs in turns with what it is compared with, and sets the medians against"
            + " goals.")
public final class Bench implements Callable<Integer> {

  private static final String ALL = "all";

  @Parameters(
      arity = "0..1",
      defaultValue = ALL,
      paramLabel = "PART",
      description = "one part, as scripts/bench --help lists them (default: ${DEFAULT-VALUE})")
  private String part;

  @Option(names = "--ceph-conf", required = true, paramLabel = "FILE", description = "ceph.conf")
  private Path cephConf;

  @Option(
      names = "--base",
      paramLabel = "URI",
      defaultValue = "rados://radosfs/bench",
      description = "directory to write below (default: ${DEFAULT-VALUE})")
  private URI base;

  @Option(
      names = "--local-dir",
      paramLabel = "DIR",
      description = "directory on the local disk for Spark's other side (default: a temporary one)")
  private Path localDirectory;

  @Option(names = "--short", description = "less of all: meant for less than 10 minutes a part")
  private boolean shortForm;

  @Option(
      names = "--rounds",
      description =
          "how often each is measured after a warm-up; memory and scale at most 3 times, and what"
              + " takes long no more than it is by default (default: 5, with --short 3, and 1 for"
              + " peers)")
  private Integer rounds;

  @Option(
      names = "--entries",
      description = "files in the directory that is listed (default: 1000000, with --short 200000)")
  private Integer entries;

  @Option(
      names = "--scale",
      description = "the scale factor of TPC-H and TPC-DS (default: 1, with --short 0.1)")
  private Double scale;

  @Option(
      names = "--slow-peers",
      description =
          "for peers: nothing but 10,000 files by S3A's committer magic beside rados://, which"
              + " takes more than an hour")
  private boolean slowPeers;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description =
          "for spark and peers: only the works that have this in their names; for tpch and tpcds:"
              + " only these queries, with commas between them")
  private String only;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "write the figures there: JSON, CSV, plots, and a page")
  private Path report;

  @Option(
      names = "--spark-tests",
      paramLabel = "JAR",
      description = "the jar of spark-sql's tests, for the queries of tpch, tpcds and memory")
  private Path sparkTests;

  @Option(
      names = "--queries",
      paramLabel = "SUITE",
      defaultValue = "tpch",
      description = "whose queries memory asks: tpch or tpcds (default: ${DEFAULT-VALUE})")
  private QuerySuite queries;

  @Option(
      names = "--peers",
      paramLabel = "FILE",
      description = "for peers: where scripts/bench wrote what it started")
  private Path peers;

  @Option(
      names = "--command",
      defaultValue = "scripts/bench",
      hidden = true,
      description = "for the report: what was typed")
  private String command;

  @Option(
      names = "--commit",
      defaultValue = "unknown",
      hidden = true,
      description = "for the report: radosfs's commit")
  private String commit;

  /** Runs the benchmark and exits: 0 if all could be measured, whether or not a goal was met. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    CommandLine command = new CommandLine(new Bench());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Path local = localDirectory != null ? localDirectory : Files.createTempDirectory("bench");
    Extents sizes = new Extents(shortForm, rounds, entries, scale, slowPeers, only);
    Instant started = Instant.now();
    BenchResults results = new BenchResults(out, reporter(started, local));
    try (BenchParts parts =
        new BenchParts(
            base,
            cephConf,
            local,
            sizes,
            sparkTests,
            queries,
            peers,
            new TimeTold(out, System::nanoTime))) {
      List<String> chosen = part.equals(ALL) ? parts.ofAll() : parts.of(part);
      for (String name : chosen) {
        out.printf("%n%s (part %d of %d)%n", name, chosen.indexOf(name) + 1, chosen.size());
        BenchPart one = parts.get(name);
        results.begin(name);
        boolean unused = results.attempt("the rest of the part", () -> one.run(results));
        if (report != null) {
          out.println("report: " + new ReportDirectory(report).page().toAbsolutePath());
        }
      }
    }
    TextTable.print(results.figures(), out);
    results.findings().forEach(one -> TextTable.print(one, out));
    results.failures().forEach(one -> TextTable.print(one, out));
    if (!results.failures().isEmpty()) {
      out.printf("%nWhat failed may have left files below %s and %s.%n", local, base);
      return CommandLine.ExitCode.SOFTWARE;
    }
    if (localDirectory == null) {
      Files.deleteIfExists(local);
    }
    return CommandLine.ExitCode.OK;
  }

  /** Each report has all that the run has measured until then. */
  private BenchResults.Reporter reporter(Instant started, Path local) throws IOException {
    if (report == null) {
      return soFar -> {};
    }
    Path unused = Files.createDirectories(local);
    // Asked for once, as the cluster's commands take processor time from what is measured.
    Environment environment = Environment.of(new CephCli(cephConf), commit, local);
    ReportDirectory directory = new ReportDirectory(report);
    return soFar ->
        directory.write(
            new Measurement(
                started,
                Duration.between(started, Instant.now()),
                command,
                environment,
                soFar.figures(),
                soFar.findings(),
                soFar.failures()));
  }
}
