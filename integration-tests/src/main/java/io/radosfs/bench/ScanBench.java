// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.TpchData;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Spark reads all columns of TPC-H's lineitem from Parquet, written by the same job to rados:// and
 * to the local disk; first with all caches emptied, then again.
 */
final class ScanBench implements BenchPart {

  private static final int FILES = 8;
  private static final double COLD_GOAL = 1.15;
  private static final double WARM_GOAL = 1.3;

  private final SparkSession spark;
  private final Path rados;
  private final Path local;
  private final double scale;
  private final ColdCaches caches;
  private final int rounds;
  private final TimeTold progress;

  private final Samples radosCold = new Samples();
  private final Samples localCold = new Samples();
  private final Samples radosWarm = new Samples();
  private final Samples localWarm = new Samples();

  ScanBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      double scale,
      ColdCaches caches,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.rados = new Path(new Path(base), "lineitem");
    this.local = new Path(new Path(localDirectory.toUri()), "lineitem");
    this.scale = scale;
    this.caches = caches;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException {
    progress.begin("scan", (caches.canDrop() ? 4L : 2L) * (rounds + 1));
    if (!caches.canDrop()) {
      progress.say("only root may empty the page cache, so nothing is measured cold");
    }
    try {
      write(local, SparkSessions.SPARKS_PROTOCOL);
      write(rados, SparkSessions.PROTOCOL);
      for (int round = 0; round <= rounds; round++) {
        round(round);
        if (round > 0) {
          results.measured(figures());
        }
      }
    } finally {
      delete(rados);
      delete(local);
    }
  }

  private List<Figure> figures() {
    Figures figures = new Figures("scan");
    if (caches.canDrop()) {
      figures.note("scan of lineitem, cold, local disk", localCold, "s");
      figures.note("scan of lineitem, cold, rados://", radosCold, "s");
      figures.atMost(
          "scan of lineitem, cold, to local disk", radosCold.over(localCold), "", COLD_GOAL);
    }
    figures.note("scan of lineitem, warm, local disk", localWarm, "s");
    figures.note("scan of lineitem, warm, rados://", radosWarm, "s");
    figures.atMost(
        "scan of lineitem, warm, to local disk", radosWarm.over(localWarm), "", WARM_GOAL);
    return figures.list();
  }

  private void write(Path directory, String protocol) {
    spark.conf().set(SparkSessions.PROTOCOL_SETTING, protocol);
    new TpchData(spark, scale, FILES)
        .lineitem()
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(directory.toString());
  }

  /** A warm-up is none of the samples. */
  private void round(int round) throws IOException {
    // Each goes first in every other round.
    Path first = round % 2 == 0 ? local : rados;
    Path second = round % 2 == 0 ? rados : local;
    if (caches.canDrop()) {
      caches.drop();
      scan(first, round, localCold, radosCold, "cold");
      caches.drop();
      scan(second, round, localCold, radosCold, "cold");
    }
    scan(first, round, localWarm, radosWarm, "warm");
    scan(second, round, localWarm, radosWarm, "warm");
  }

  private void scan(Path directory, int round, Samples ofLocal, Samples ofRados, String how) {
    System.gc();
    long started = System.nanoTime();
    spark
        .read()
        .parquet(directory.toString())
        .write()
        .format("noop")
        .mode(SaveMode.Overwrite)
        .save();
    double seconds = (System.nanoTime() - started) / 1e9;
    if (round > 0) {
      (directory.equals(local) ? ofLocal : ofRados).add(seconds);
    }
    progress.done(
        1,
        "%s, %s, %s: %.3f s",
        round == 0 ? "warm-up" : "round " + round,
        how,
        directory.equals(local) ? "local" : "rados",
        seconds);
  }

  private void delete(Path directory) throws IOException {
    directory.getFileSystem(spark.sessionState().newHadoopConf()).delete(directory, true);
  }
}
