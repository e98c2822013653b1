// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.WriteMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.Iterator;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/**
 * Spark jobs that write Parquet to rados:// with our committer and to the local disk with
 * FileOutputCommitter (algorithm 1), in turns.
 */
final class SparkBench implements BenchPart {

  private static final int LARGE_FILES = 16;
  private static final long LARGE_BYTES = 512L << 20;
  private static final int ROW_BYTES = 4096;
  private static final int MANY_FILES = 1000;
  private static final int MANY_FILES_ROUNDS = 3;

  private final SparkSession spark;
  private final Path rados;
  private final Path local;
  private final int rounds;
  private final TimeTold progress;
  private final WriteMetrics metrics = new WriteMetrics();
  private final Figures figures = new Figures("spark");
  private int writes;

  SparkBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.rados = new Path(new Path(base), "spark");
    this.local = new Path(localDirectory.toUri());
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    int manyRounds = Math.min(rounds, MANY_FILES_ROUNDS);
    progress.begin("spark", rounds + 1 + manyRounds + 1);
    spark.conf().set("mapreduce.fileoutputcommitter.algorithm.version", "1");
    spark.listenerManager().register(metrics);
    results.attempt("512 MiB in 16 files", this::large);
    results.measured(figures.list());
    results.attempt("1,000 files", () -> many(manyRounds));
    results.measured(figures.list());
  }

  private void large() throws Exception {
    PairedSamples large = compare("512 MiB in 16 files", incompressible(), rounds);
    figures.note("512 MiB in 16 files, local disk", large.localSeconds, "s");
    figures.note("512 MiB in 16 files, rados://", large.radosSeconds, "s");
    figures.atMost(
        "512 MiB in 16 files to local disk", large.radosSeconds.over(large.localSeconds), "", 1.25);
  }

  private void many(int manyRounds) throws Exception {
    PairedSamples many = compare("1,000 files", small(), manyRounds);
    figures.note("1,000 files, local disk", many.localSeconds, "s");
    figures.note("1,000 files, rados://", many.radosSeconds, "s");
    figures.atMost("1,000 files to local disk", many.radosSeconds.over(many.localSeconds), "", 1.5);
    figures.note("1,000 files, commitJob, local disk", many.localCommit, "s");
    figures.atMost("1,000 files, commitJob, rados://", many.radosCommit, "s", 1);
  }

  private record PairedSamples(
      Samples localSeconds, Samples radosSeconds, Samples localCommit, Samples radosCommit) {}

  private record Timing(double seconds, double commitSeconds) {}

  private PairedSamples compare(String what, Dataset<?> data, int times) throws Exception {
    PairedSamples comparison =
        new PairedSamples(new Samples(), new Samples(), new Samples(), new Samples());
    for (int round = 0; round <= times; round++) {
      // Each goes first in every other round.
      boolean localFirst = round % 2 == 0;
      Timing first = write(data, localFirst);
      Timing second = write(data, !localFirst);
      Timing ofLocal = localFirst ? first : second;
      Timing ofRados = localFirst ? second : first;
      progress.done(
          1,
          "%s, %s: local %.2f s (commitJob %.3f s), rados %.2f s (commitJob %.3f s)",
          what,
          round == 0 ? "warm-up" : "round " + round,
          ofLocal.seconds,
          ofLocal.commitSeconds,
          ofRados.seconds,
          ofRados.commitSeconds);
      if (round > 0) {
        comparison.localSeconds.add(ofLocal.seconds);
        comparison.radosSeconds.add(ofRados.seconds);
        comparison.localCommit.add(ofLocal.commitSeconds);
        comparison.radosCommit.add(ofRados.commitSeconds);
      }
    }
    return comparison;
  }

  private Timing write(Dataset<?> data, boolean toLocal) throws Exception {
    Path directory = new Path(toLocal ? local : rados, "write-" + writes++);
    String protocol = toLocal ? SparkSessions.SPARKS_PROTOCOL : SparkSessions.PROTOCOL;
    spark.conf().set(SparkSessions.PROTOCOL_SETTING, protocol);
    quiesce();
    long started = System.nanoTime();
    data.write().parquet(directory.toString());
    double seconds = (System.nanoTime() - started) / 1e9;
    double commitSeconds = metrics.next().commitJobMillis() / 1e3;
    Configuration configuration = spark.sessionState().newHadoopConf();
    directory.getFileSystem(configuration).delete(directory, true);
    return new Timing(seconds, commitSeconds);
  }

  /** What the write before left to be done in memory and on disk is not this one's burden. */
  private static void quiesce() throws IOException, InterruptedException {
    System.gc();
    if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
      throw new IOException("sync failed");
    }
  }

  private Dataset<byte[]> incompressible() {
    long rowsAFile = LARGE_BYTES / LARGE_FILES / ROW_BYTES;
    MapPartitionsFunction<Long, byte[]> rows = SparkBench::randomRows;
    return spark
        .range(0, rowsAFile * LARGE_FILES, 1, LARGE_FILES)
        .mapPartitions(rows, Encoders.BINARY());
  }

  private static Iterator<byte[]> randomRows(Iterator<Long> ids) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return ids.hasNext();
      }

      @Override
      public byte[] next() {
        byte[] row = new byte[ROW_BYTES];
        new SplittableRandom(ids.next()).nextBytes(row);
        return row;
      }
    };
  }

  private Dataset<Long> small() {
    return spark.range(0, 100L * MANY_FILES, 1, MANY_FILES);
  }
}
