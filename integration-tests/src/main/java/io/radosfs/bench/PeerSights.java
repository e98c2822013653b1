// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * What each peer shows a reader of jobs that overwrite, that fail, whose driver is killed, that run
 * at once, and that have an attempt too many. Each cell is found by running it.
 */
final class PeerSights implements BenchPart {

  private static final int OLD_FILES = 4;
  private static final int OLD_ROWS = 400;
  private static final List<String> COLUMNS =
      List.of(
          "peer",
          "during an overwrite",
          "after a failed overwrite",
          "after a killed driver",
          "two writers that append",
          "a speculative attempt");

  private final SparkSession spark;
  private final Peers peers;
  private final int files;
  private final TimeTold progress;

  /**
   * The table.
   *
   * @param files of the job that is looked at while it runs
   */
  PeerSights(SparkSession spark, Peers peers, int files, TimeTold progress) {
    this.spark = spark;
    this.peers = peers;
    this.files = files;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws Exception {
    peers.configure(spark);
    progress.begin("readers", (long) peers.all().size() * (COLUMNS.size() - 1));
    List<List<String>> rows = new ArrayList<>();
    // Jobs are meant to fail here; the table says how each has ended.
    spark.sparkContext().setLogLevel("OFF");
    try {
      for (Peer peer : peers.all()) {
        rows.add(row(results, peer));
        results.found(
            new Findings("readers", "what a reader sees, found by listing", COLUMNS, rows));
      }
    } finally {
      spark.sparkContext().setLogLevel("WARN");
      for (Peer peer : peers.all()) {
        results.attempt("removal of what was written, " + peer.name(), () -> peer.delete(spark));
      }
    }
  }

  private List<String> row(BenchResults results, Peer peer)
      throws IOException, InterruptedException {
    peer.choose(spark);
    List<String> row = new ArrayList<>();
    row.add(peer.name());
    cell(results, row, () -> duringOverwrite(peer));
    cell(results, row, () -> afterFailedOverwrite(peer));
    cell(results, row, () -> afterKilledDriver(peer));
    cell(results, row, () -> twoWriters(peer));
    cell(results, row, () -> new Speculation(spark, peer, directory(peer, "speculated")).words());
    return row;
  }

  /** Finds out what a reader sees, in words. */
  private interface Look {
    String words() throws Exception;
  }

  private void cell(BenchResults results, List<String> row, Look look)
      throws IOException, InterruptedException {
    String column = COLUMNS.get(row.size());
    List<String> found = new ArrayList<>();
    boolean succeeded = results.attempt(column + ", " + row.get(0), () -> found.add(look.words()));
    String words = succeeded ? found.get(0) : "not found out: what was run failed";
    progress.done(1, "%s, %s: %s", row.get(0), column, words);
    row.add(words);
  }

  private String duringOverwrite(Peer peer) throws Exception {
    org.apache.hadoop.fs.Path table = directory(peer, "overwritten");
    Looks looks = old(table);
    Sights sights = new Sights(looks.now(), files);
    looks.during(
        () ->
            spark
                .range(0, files, 1, files)
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(table.toString()),
        sights);
    return sights.words();
  }

  /** One task of four fails when others are done. */
  private String afterFailedOverwrite(Peer peer) throws Exception {
    org.apache.hadoop.fs.Path table = directory(peer, "failed");
    Looks looks = old(table);
    Sights sights = new Sights(looks.now(), OLD_FILES);
    try {
      GatedJobs.failing(spark, OLD_FILES)
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(table.toString());
      throw new IllegalStateException("a job succeeded that is meant to fail");
    } catch (Exception e) {
      if (!Outcomes.reason(e).contains(GatedJobs.FAILURE)) {
        throw e;
      }
    }
    return after(sights, looks);
  }

  private static String after(Sights sights, Looks looks) throws IOException {
    sights.add(looks.now());
    return sights.words() + "; files left that no reader takes for data: " + looks.hidden();
  }

  private String afterKilledDriver(Peer peer) throws Exception {
    org.apache.hadoop.fs.Path table = directory(peer, "killed");
    Looks looks = old(table);
    Sights sights = new Sights(looks.now(), OLD_FILES);
    KilledDriver.run(spark, peer, peers.hadoop(), table);
    return after(sights, looks);
  }

  /** The first has one task committed and one under way while the second begins and ends. */
  private String twoWriters(Peer peer) throws Exception {
    org.apache.hadoop.fs.Path table = directory(peer, "shared");
    Path gate = Files.createTempDirectory("gate");
    ExecutorService threads = Executors.newSingleThreadExecutor();
    String first = "succeeded";
    String second = "succeeded";
    try {
      Future<?> waiting = threads.submit(() -> append(GatedJobs.waiting(spark, gate), table));
      try {
        GatedJobs.awaitWaiting(gate, 1, () -> !waiting.isDone());
        append(spark.range(GatedJobs.ROWS, 2L * GatedJobs.ROWS, 1, 2), table);
      } catch (Exception e) {
        second = "failed with " + Outcomes.reason(e);
      } finally {
        GatedJobs.open(gate);
      }
      try {
        waiting.get();
      } catch (ExecutionException e) {
        first = "failed with " + Outcomes.reason(e);
      }
    } finally {
      threads.shutdownNow();
      GatedJobs.remove(gate);
    }
    return String.format(
        java.util.Locale.ROOT,
        "the first %s, %d of its %d rows are there; the second %s, %d of its %d rows",
        first,
        rows(table, "id < " + GatedJobs.ROWS),
        GatedJobs.ROWS,
        second,
        rows(table, "id >= " + GatedJobs.ROWS),
        GatedJobs.ROWS);
  }

  private static void append(
      org.apache.spark.sql.Dataset<?> rows, org.apache.hadoop.fs.Path table) {
    rows.write().mode(SaveMode.Append).parquet(table.toString());
  }

  private long rows(org.apache.hadoop.fs.Path table, String which) throws IOException {
    if (looks(table).now().isEmpty()) {
      return 0;
    }
    return spark
        .read()
        .schema("id long")
        .parquet(table.toString())
        .where(which)
        .as(Encoders.LONG())
        .count();
  }

  private Looks old(org.apache.hadoop.fs.Path table) throws IOException {
    spark.range(0, OLD_ROWS, 1, OLD_FILES).write().parquet(table.toString());
    Looks looks = looks(table);
    if (looks.now().size() != OLD_FILES) {
      throw new IOException(table + " has " + looks.now());
    }
    return looks;
  }

  private Looks looks(org.apache.hadoop.fs.Path table) throws IOException {
    return new Looks(table.getFileSystem(spark.sessionState().newHadoopConf()), table);
  }

  private static org.apache.hadoop.fs.Path directory(Peer peer, String name) {
    return new org.apache.hadoop.fs.Path(peer.root(), name);
  }
}
