// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.connector.config.Options;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.SparkSessions;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The benchmark's command line. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures radosfs in turns with what it is compared with, and sets the medians against goals.",
      "  stream: 512 MiB through one stream, beside rados bench with the same object size and depth",
      "  spark: Parquet from Spark on two cores, beside the same on the local disk",
      "  commit: commitJob of jobs with many files, by the committer alone",
      "  listing: a large directory, listed in a JVM with a heap of 64 MiB",
      "  vectored: 100 scattered ranges of 64 KiB by one vectored read, beside one after another",
      "  scan: TPC-H's lineitem read from Parquet by Spark, beside the same on the local disk",
      "  plan: tables of 30, 300 and 3,000 partitions planned and counted by Spark, beside the same"
          + " on the local disk"
    })
public final class Bench implements Callable<Integer> {

  /** What to measure. */
  enum Part {
    stream,
    spark,
    commit,
    listing,
    vectored,
    scan,
    plan,
    all
  }

  @Parameters(
      arity = "0..1",
      defaultValue = "all",
      description = "one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Part part;

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

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "how often each is measured after a warm-up (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(
      names = "--entries",
      defaultValue = "1000000",
      description = "files in the directory that is listed (default: ${DEFAULT-VALUE})")
  private int entries;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "TPC-H's scale factor for the scan (default: ${DEFAULT-VALUE})")
  private double scale;

  /** Runs the benchmark and exits: 0 if it could be measured, whether or not a goal was met. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    System.exit(new CommandLine(new Bench()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Scorecard scorecard = new Scorecard();
    if (measures(Part.stream)) {
      new StreamBench(base, cephConf, configuration(), rounds, out, scorecard).run();
    }
    if (measures(Part.commit)) {
      new CommitBench(base, configuration(), rounds, out, scorecard).run();
    }
    if (measures(Part.listing)) {
      new ListingBench(base, cephConf, configuration(), entries, rounds, out, scorecard).run();
    }
    if (measures(Part.vectored)) {
      new VectoredBench(base, configuration(), rounds, out, scorecard).run();
    }
    if (measures(Part.spark) || measures(Part.scan) || measures(Part.plan)) {
      Path local = localDirectory != null ? localDirectory : Files.createTempDirectory("bench");
      try (SparkSession spark = SparkSessions.local("2", cephConf)) {
        if (measures(Part.spark)) {
          new SparkBench(spark, base, local, rounds, out, scorecard).run();
        }
        if (measures(Part.scan)) {
          ColdCaches caches = new ColdCaches(new CephCli(cephConf));
          new ScanBench(spark, base, local, scale, caches, rounds, out, scorecard).run();
        }
        if (measures(Part.plan)) {
          new PlanBench(spark, base, local, rounds, out, scorecard).run();
        }
      }
      if (localDirectory == null) {
        Files.deleteIfExists(local);
      }
    }
    scorecard.print(out);
    return CommandLine.ExitCode.OK;
  }

  private boolean measures(Part one) {
    return part == one || part == Part.all;
  }

  /** Hadoop's, for what needs no Spark in the process. */
  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(Options.CEPH_CONF.key(), cephConf.toAbsolutePath().toString());
    return configuration;
  }
}
