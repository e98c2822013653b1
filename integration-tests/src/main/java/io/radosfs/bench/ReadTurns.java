// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkGoals;
import io.radosfs.bench.works.WorkSide;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Spark reads all columns of a Parquet table that both sides have: in each round with all caches
 * emptied, of the local disk too, and then again.
 */
final class ReadTurns {

  private final SparkSession spark;
  private final Map<String, Path> tables = new LinkedHashMap<>();
  private final ColdCaches caches;
  private final Costs costs;
  private final int unit;
  private final TimeTold progress;
  private final SideCosts cold = new SideCosts(true);
  private final SideCosts warm = new SideCosts(true);

  /**
   * Nothing is read yet.
   *
   * @param unit what a read is of the work that {@code progress} was told
   */
  ReadTurns(
      SparkSession spark,
      Path onDisk,
      Path onRados,
      ColdCaches caches,
      Costs costs,
      int unit,
      TimeTold progress) {
    this.spark = spark;
    tables.put(WorkSide.DISK, onDisk);
    tables.put(WorkSide.RADOS, onRados);
    this.caches = caches;
    this.costs = costs;
    this.unit = unit;
    this.progress = progress;
  }

  /** How many reads there are in so many rounds and the one that warms up. */
  static long reads(ColdCaches caches, int rounds) {
    return (caches.canDrop() ? 4L : 2L) * (rounds + 1);
  }

  /** The first, which is number 0, is a warm-up, and counts nowhere. */
  void round(int number) throws Exception {
    // Each goes first in every other round.
    List<String> sides = Turns.of(List.copyOf(tables.keySet()), number);
    if (caches.canDrop()) {
      read(sides, number, true, cold);
    }
    read(sides, number, false, warm);
  }

  private void read(List<String> sides, int number, boolean empty, SideCosts times)
      throws Exception {
    for (String side : sides) {
      if (empty) {
        caches.drop();
      }
      Cost cost = costOf(tables.get(side));
      times.add(side, cost);
      progress.done(
          unit,
          "%s, %s, %s: %.3f s",
          number == 0 ? "warm-up" : "round " + number,
          empty ? "cold" : "warm",
          side,
          cost.seconds());
    }
  }

  private Cost costOf(Path table) throws Exception {
    System.gc();
    return costs.ofProcessors(
        () ->
            spark
                .read()
                .parquet(table.toString())
                .write()
                .format("noop")
                .mode(SaveMode.Overwrite)
                .save());
  }

  /** What was measured so far: at least one round. */
  void tell(Figures figures, String what) {
    if (!cold.isEmpty()) {
      cold.tell(figures, what + ", cold", WorkGoals.READ_COLD);
    }
    warm.tell(figures, what + ", warm", WorkGoals.READ_WARM);
  }
}
