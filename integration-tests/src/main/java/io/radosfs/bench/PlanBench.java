// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Spark finds the files of partitioned tables, plans to read them and counts their rows; the same
 * tables on rados:// and on the local disk, in turns. Each partition has one small file, so that
 * the listing and what Spark does with each file's status is most of the work.
 *
 * <p>A table on the local disk is in the page cache: a read of it is a copy in memory. On RADOS a
 * partition is listed by one read, and its file is counted by two, as Spark asks for its status and
 * then for its footer. What so many reads cost where nothing else is done is measured too, by
 * {@code rados bench} with as many operations under way as Spark has cores. The local disk and
 * these reads together are what the figures are held against.
 */
final class PlanBench implements Part {

  private static final int ROWS_A_PARTITION = 10;
  private static final int TASKS = 4;
  private static final int READ_BYTES = 1 << 10;
  private static final int WRITES_AT_A_TIME = 16;
  private static final double MIB = 1 << 20;

  /** Of the local disk and the reads. */
  private static final double GOAL = 1.2;

  private final SparkSession spark;
  private final RadosBench reads;
  private final Path rados;
  private final Path local;
  private final List<Integer> tables;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("plan");

  /**
   * The part.
   *
   * @param tables how many partitions each has
   */
  PlanBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path cephConf,
      java.nio.file.Path localDirectory,
      List<Integer> tables,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.reads = new RadosBench(new CephCli(cephConf), PoolName.of(base), READ_BYTES);
    this.rados = new Path(new Path(base), "plan");
    this.local = new Path(new Path(localDirectory.toUri()), "plan");
    this.tables = tables;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public List<Figure> run() throws IOException {
    progress.begin("plan", 2L * (rounds + 1) * tables.size());
    try {
      for (int partitions : tables) {
        compare(partitions);
      }
    } finally {
      delete(rados);
      delete(local);
    }
    return figures.list();
  }

  /** Seconds on one side, a sample a round. */
  private record Side(Path directory, String name, Samples plan, Samples count, Samples again) {
    Side(Path directory, String name) {
      this(directory, name, new Samples(), new Samples(), new Samples());
    }
  }

  private void compare(int partitions) throws IOException {
    Side onRados = new Side(new Path(rados, "of-" + partitions), "rados");
    Side onDisk = new Side(new Path(local, "of-" + partitions), "local");
    write(onRados.directory, partitions, SparkSessions.PROTOCOL);
    write(onDisk.directory, partitions, SparkSessions.SPARKS_PROTOCOL);
    Samples oneRead = new Samples();
    for (int round = 0; round <= rounds; round++) {
      // Each goes first in every other round.
      measure(round % 2 == 0 ? onDisk : onRados, partitions, round);
      measure(round % 2 == 0 ? onRados : onDisk, partitions, round);
      if (round > 0) {
        oneRead.add(secondsToRead(partitions));
      }
    }
    String table = String.format(Locale.ROOT, "%,d partitions, ", partitions);
    figures.note(table + "one read of each by rados bench", oneRead, "s");
    report(table + "found and planned", onRados.plan, onDisk.plan, 1, oneRead);
    report(table + "first count", onRados.count, onDisk.count, 2, oneRead);
    report(table + "second count", onRados.again, onDisk.again, 2, oneRead);
  }

  /** How long one read of each of so many small objects takes. */
  private double secondsToRead(int objects) throws IOException {
    double unused = reads.write((long) objects * READ_BYTES, WRITES_AT_A_TIME);
    try {
      double bytesASecond = MIB * reads.read(spark.sparkContext().defaultParallelism());
      return objects * (double) READ_BYTES / bytesASecond;
    } finally {
      reads.cleanUp();
    }
  }

  private void write(Path directory, int partitions, String protocol) {
    spark.conf().set(SparkSessions.PROTOCOL_SETTING, protocol);
    spark
        .range(0, (long) partitions * ROWS_A_PARTITION, 1, TASKS)
        .withColumn("part", functions.expr("cast(id / " + ROWS_A_PARTITION + " as int)"))
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("part")
        .parquet(directory.toString());
  }

  /** The first round is a warm-up, and none of the samples. */
  private void measure(Side side, int partitions, int round) {
    System.gc();
    long began = System.nanoTime();
    Dataset<Row> table = spark.read().parquet(side.directory.toString());
    table.queryExecution().executedPlan();
    long planned = System.nanoTime();
    long rows = table.count();
    long counted = System.nanoTime();
    table.count();
    long again = System.nanoTime();
    if (rows != (long) partitions * ROWS_A_PARTITION) {
      throw new IllegalStateException(side.directory + " has " + rows + " rows");
    }
    progress.done(
        1,
        "%,d partitions, %s, %s: planned in %.3f s, counted in %.3f s, again in %.3f s",
        partitions,
        side.name,
        round == 0 ? "warm-up" : "round " + round,
        (planned - began) / 1e9,
        (counted - planned) / 1e9,
        (again - counted) / 1e9);
    if (round > 0) {
      side.plan.add((planned - began) / 1e9);
      side.count.add((counted - planned) / 1e9);
      side.again.add((again - counted) / 1e9);
    }
  }

  /**
   * @param each how many reads of each file the work takes
   */
  private void report(String what, Samples onRados, Samples onDisk, int each, Samples oneRead) {
    figures.note(what + ", local disk", onDisk, "s");
    figures.note(what + ", rados://", onRados, "s");
    figures.note(what + ", to local disk", onRados.over(onDisk), "");
    Samples least = onDisk.plus(oneRead.times(each));
    String readsToo = each == 1 ? " and one read each" : " and " + each + " reads each";
    figures.atMost(what + ", to local disk" + readsToo, onRados.over(least), "", GOAL);
  }

  private void delete(Path directory) throws IOException {
    directory.getFileSystem(spark.sessionState().newHadoopConf()).delete(directory, true);
  }
}
