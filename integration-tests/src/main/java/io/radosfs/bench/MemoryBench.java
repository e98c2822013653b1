// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySetting;
import io.radosfs.bench.memory.MemorySide;
import io.radosfs.bench.memory.MemoryTask;
import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The queries of TPC-H or TPC-DS with more and with less memory, on rados:// and on the local disk:
 * each in a process of its own, one after the other, so that each has its memory, and the machine's
 * page cache, to itself. All must give the same answers.
 */
final class MemoryBench implements BenchPart {

  private static final String NAME = "memory";

  /** Each is asked to warm up, and once more. */
  private static final int PASSES = 2;

  /**
   * How much is measured.
   *
   * @param someQueries only a few of the queries
   */
  record Extent(QuerySuite suite, double scale, List<MemorySetting> settings, boolean someQueries) {

    static Extent whole(QuerySuite suite, double scale) {
      return new Extent(suite, scale, MemorySetting.all(), false);
    }

    static Extent inShort(QuerySuite suite, double scale) {
      return new Extent(suite, scale, MemorySetting.heaps(), true);
    }
  }

  private final java.nio.file.Path cephConf;
  private final java.nio.file.Path sparkTests;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Map<MemorySide, Path> directories = new EnumMap<>(MemorySide.class);
  private final List<String> all;
  private final List<String> asked;
  private final MemoryFigures figures;
  private final List<List<String>> troubles = new ArrayList<>();

  MemoryBench(
      URI base,
      java.nio.file.Path cephConf,
      java.nio.file.Path localDirectory,
      java.nio.file.Path sparkTests,
      Extent extent,
      int rounds,
      TimeTold progress)
      throws IOException {
    this.cephConf = cephConf;
    this.sparkTests = sparkTests;
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
    directories.put(MemorySide.RADOS, new Path(new Path(base), NAME));
    directories.put(MemorySide.DISK, new Path(new Path(localDirectory.toUri()), NAME));
    this.all = extent.suite().queries(sparkTests).names();
    this.asked = extent.someQueries() ? extent.suite().someOfMuchShuffle() : all;
    this.figures = new MemoryFigures(extent.settings(), all);
  }

  /** To be run while this process has no Spark session: it is to need little memory itself. */
  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    try {
      List<String> tables = write();
      // What the session has left would be memory that the page cache has not.
      System.gc();
      for (int round = 0; round < rounds; round++) {
        for (MemorySetting setting : Turns.of(extent.settings(), round)) {
          attempt(results, round, setting, tables);
        }
      }
    } finally {
      Configuration configuration = new Configuration();
      configuration.set(Options.CEPH_CONF.key(), cephConf.toAbsolutePath().toString());
      for (Path directory : directories.values()) {
        directory.getFileSystem(configuration).delete(directory, true);
      }
    }
  }

  /** All tables, on both sides; returns their names. */
  private List<String> write() throws IOException {
    try (SparkSession spark = SparkSessions.local("2", cephConf)) {
      GeneratedTables tables = extent.suite().tables(spark, extent.scale());
      List<String> names = tables.names();
      progress.begin(NAME, names.size() + rounds * queriesOfARound());
      for (String table : names) {
        for (MemorySide side : MemorySide.values()) {
          spark
              .conf()
              .set(
                  SparkSessions.PROTOCOL_SETTING,
                  side == MemorySide.RADOS
                      ? SparkSessions.PROTOCOL
                      : SparkSessions.SPARKS_PROTOCOL);
          new AskedTables(spark, directories.get(side), names, extent.suite().queries(sparkTests))
              .write(tables, table);
        }
        progress.done(1, "wrote %s", table);
      }
      return names;
    }
  }

  private long queriesOfARound() {
    return (long) extent.settings().size() * MemorySide.values().length * PASSES * asked.size();
  }

  /** One that fails takes no further part. */
  private void attempt(BenchResults results, int round, MemorySetting setting, List<String> tables)
      throws IOException, InterruptedException {
    if (!figures.has(setting)) {
      return;
    }
    if (!results.attempt(what(round, setting), () -> compare(round, setting, tables))) {
      figures.leaveOut(setting);
    }
    if (!troubles.isEmpty()) {
      results.found(
          new Findings(
              NAME,
              "what was not answered",
              List.of("setting", "side", "query", "what happened"),
              troubles));
    }
    results.measured(figures.list());
  }

  private static String what(int round, MemorySetting setting) {
    return "round " + (round + 1) + ", " + setting.title();
  }

  private void compare(int round, MemorySetting setting, List<String> tables)
      throws IOException, InterruptedException {
    // Each goes first in every other round, and with every other setting.
    List<MemorySide> sides =
        Turns.of(List.of(MemorySide.values()), round + extent.settings().indexOf(setting));
    Map<MemorySide, MemoryRun> runs = new EnumMap<>(MemorySide.class);
    for (MemorySide side : sides) {
      run(round, setting, side, tables).ifPresent(run -> runs.put(side, run));
    }
    if (runs.size() == sides.size()) {
      figures.add(setting, runs);
    } else {
      figures.leaveOut(setting);
    }
  }

  private Optional<MemoryRun> run(
      int round, MemorySetting setting, MemorySide side, List<String> tables)
      throws IOException, InterruptedException {
    String what = what(round, setting) + ", " + side.title();
    MemoryTask task =
        new MemoryTask(
            side == MemorySide.RADOS ? cephConf.toAbsolutePath().toString() : "",
            directories.get(side).toString(),
            tables,
            sparkTests.toAbsolutePath().toString(),
            extent.suite().toString(),
            asked);
    MemoryProcess process = new MemoryProcess(line -> progress.done(1, "%s, %s", what, line));
    MemoryProcess.Outcome outcome = process.run(setting, task);
    if (outcome.run().isEmpty()) {
      trouble(setting, side, "all", outcome.ended());
      progress.say("%s: %s", what, outcome.ended());
    }
    outcome
        .run()
        .ifPresent(run -> run.failed().forEach((query, why) -> trouble(setting, side, query, why)));
    return outcome.run();
  }

  private void trouble(MemorySetting setting, MemorySide side, String query, String what) {
    troubles.add(List.of(setting.title(), side.title(), query, what));
  }
}
