// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.TpchData;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Spark reads all columns of TPC-H's lineitem from Parquet, written by the same job to rados:// and
 * to the local disk; first with all caches emptied, then again.
 */
final class ScanBench implements BenchPart {

  private static final int FILES = 8;

  private final SparkSession spark;
  private final Path rados;
  private final Path local;
  private final double scale;
  private final ColdCaches caches;
  private final Costs costs;
  private final int rounds;
  private final TimeTold progress;

  ScanBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      double scale,
      ColdCaches caches,
      Costs costs,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.rados = new Path(new Path(base), "lineitem");
    this.local = new Path(new Path(localDirectory.toUri()), "lineitem");
    this.scale = scale;
    this.caches = caches;
    this.costs = costs;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws Exception {
    progress.begin("scan", ReadTurns.reads(caches, rounds));
    if (!caches.canDrop()) {
      progress.say("only root may empty the page cache, so nothing is measured cold");
    }
    try {
      write(local, SparkSessions.SPARKS_PROTOCOL);
      write(rados, SparkSessions.PROTOCOL);
      ReadTurns turns = new ReadTurns(spark, local, rados, caches, costs, 1, progress);
      for (int round = 0; round <= rounds; round++) {
        turns.round(round);
        if (round > 0) {
          Figures figures = new Figures("scan");
          turns.tell(figures, "scan of lineitem");
          results.measured(figures.list());
        }
      }
    } finally {
      delete(rados);
      delete(local);
    }
  }

  private void write(Path directory, String protocol) {
    spark.conf().set(SparkSessions.PROTOCOL_SETTING, protocol);
    new TpchData(spark, scale, FILES)
        .lineitem()
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(directory.toString());
  }

  private void delete(Path directory) throws IOException {
    directory.getFileSystem(spark.sessionState().newHadoopConf()).delete(directory, true);
  }
}
