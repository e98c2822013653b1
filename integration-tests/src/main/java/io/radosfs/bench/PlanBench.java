// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkGoals;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.Counters;
import io.radosfs.workbench.PoolName;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
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
 * then for its footer. What so many reads as were counted cost where nothing else is done is
 * measured too, by {@code rados bench} with as many operations under way: those of the listing,
 * which the driver makes many at a time, and of Spark's tasks, one for each core. Each figure is
 * held against the local disk and these reads together; those of {@link WorkGoals#TABLE_PARTITIONS}
 * partitions, as they are found and first counted, against the local disk alone too.
 */
final class PlanBench implements BenchPart {

  private static final int ROWS_A_PARTITION = 10;
  private static final int TASKS = 4;
  private static final int READ_BYTES = 1 << 10;
  private static final int WRITES_AT_A_TIME = 16;
  private static final double MIB = 1 << 20;

  /** Directories that are listed at a time. */
  private static final int LISTINGS = 16;

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
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin("plan", 2L * (rounds + 1) * tables.size());
    try {
      for (int partitions : tables) {
        results.attempt(table(partitions), () -> compare(partitions));
        results.measured(figures.list());
      }
    } finally {
      delete(rados);
      delete(local);
    }
  }

  private static String table(int partitions) {
    return String.format(Locale.ROOT, "%,d partitions", partitions);
  }

  /** What a step took, a sample a round; the reads are 0 on the local disk. */
  private record Step(Samples seconds, Samples reads) {
    Step() {
      this(new Samples(), new Samples());
    }

    void add(Moment from, Moment to) {
      seconds.add(to.secondsAfter(from));
      reads.add(to.reads - from.reads);
    }
  }

  /** What time it is by the JVM's clock, and how many reads there were. */
  private record Moment(long nanos, long reads) {
    static Moment now(FileSystem fileSystem) {
      long reads = Counters.of(fileSystem).get(RadosStatistic.OP_READ.symbol());
      return new Moment(System.nanoTime(), reads);
    }

    double secondsAfter(Moment earlier) {
      return (nanos - earlier.nanos) / 1e9;
    }
  }

  private record Side(Path directory, String name, Step plan, Step count, Step again) {
    Side(Path directory, String name) {
      this(directory, name, new Step(), new Step(), new Step());
    }

    Samples both() {
      return plan.seconds.plus(count.seconds);
    }
  }

  private void compare(int partitions) throws IOException {
    Side onRados = new Side(new Path(rados, "of-" + partitions), "rados");
    Side onDisk = new Side(new Path(local, "of-" + partitions), "local");
    write(onRados.directory, partitions, SparkSessions.PROTOCOL);
    write(onDisk.directory, partitions, SparkSessions.SPARKS_PROTOCOL);
    int cores = spark.sparkContext().defaultParallelism();
    Samples listed = new Samples();
    Samples read = new Samples();
    Samples byOneCall = new Samples();
    for (int round = 0; round <= rounds; round++) {
      // Each goes first in every other round.
      for (Side side : Turns.of(List.of(onDisk, onRados), round)) {
        measure(side, partitions, round);
      }
      if (round > 0) {
        byOneCall.add(secondsByOneCall(onDisk.directory));
        addSecondsOfOneRead(partitions, listed, cores, read);
      }
    }
    String table = table(partitions) + ", ";
    boolean hasGoal = partitions == WorkGoals.TABLE_PARTITIONS;
    report(table + "found and planned", onRados.plan, onDisk.plan, listed, hasGoal);
    figures.note(table + "found and planned, local disk by one call, too", byOneCall, "s");
    Samples both = onRados.both().over(onDisk.both());
    figures.atMost(table + "found, planned and counted, to local disk", both, "", WorkGoals.TABLE);
    report(table + "first count", onRados.count, onDisk.count, read, hasGoal);
    report(table + "second count", onRados.again, onDisk.again, read, false);
  }

  /** What one of many reads of small objects takes, with as many under way as each step has. */
  private void addSecondsOfOneRead(int objects, Samples listed, int cores, Samples read)
      throws IOException {
    double unused = reads.write((long) objects * READ_BYTES, WRITES_AT_A_TIME);
    try {
      listed.add(READ_BYTES / (MIB * reads.read(LISTINGS)));
      read.add(READ_BYTES / (MIB * reads.read(cores)));
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
  private void measure(Side side, int partitions, int round) throws IOException {
    FileSystem fileSystem = fileSystem(side.directory);
    System.gc();
    Moment began = Moment.now(fileSystem);
    Dataset<Row> table = plan(side.directory);
    Moment planned = Moment.now(fileSystem);
    long rows = table.count();
    Moment counted = Moment.now(fileSystem);
    table.count();
    Moment again = Moment.now(fileSystem);
    if (rows != (long) partitions * ROWS_A_PARTITION) {
      throw new IllegalStateException(side.directory + " has " + rows + " rows");
    }
    progress.done(
        1,
        "%,d partitions, %s, %s: planned in %.3f s, counted in %.3f s, again in %.3f s",
        partitions,
        side.name,
        round == 0 ? "warm-up" : "round " + round,
        planned.secondsAfter(began),
        counted.secondsAfter(planned),
        again.secondsAfter(counted));
    if (round > 0) {
      side.plan.add(began, planned);
      side.count.add(planned, counted);
      side.again.add(counted, again);
    }
  }

  /** What planning takes if the driver lists the table, where Spark does not do so by default. */
  private double secondsByOneCall(Path directory) throws IOException {
    FileSystem fileSystem = fileSystem(directory);
    String before = spark.conf().get(SparkSessions.LISTED_BY_ONE_CALL);
    spark.conf().set(SparkSessions.LISTED_BY_ONE_CALL, fileSystem.getScheme());
    try {
      Moment began = Moment.now(fileSystem);
      Dataset<Row> unused = plan(directory);
      return Moment.now(fileSystem).secondsAfter(began);
    } finally {
      spark.conf().set(SparkSessions.LISTED_BY_ONE_CALL, before);
    }
  }

  private Dataset<Row> plan(Path directory) {
    Dataset<Row> table = spark.read().parquet(directory.toString());
    table.queryExecution().executedPlan();
    return table;
  }

  private void report(
      String what, Step onRados, Step onDisk, Samples secondsOfOneRead, boolean hasGoal) {
    Samples secondsOfReads = onRados.reads.times(secondsOfOneRead);
    figures.note(what + ", local disk", onDisk.seconds, "s");
    figures.note(what + ", rados://", onRados.seconds, "s");
    figures.note(what + ", reads", onRados.reads, "operations");
    figures.note(what + ", these reads by rados bench", secondsOfReads, "s");
    Samples toDisk = onRados.seconds.over(onDisk.seconds);
    if (hasGoal) {
      figures.atMost(what + ", to local disk", toDisk, "", WorkGoals.TABLE);
    } else {
      figures.note(what + ", to local disk", toDisk, "");
    }
    Samples least = onDisk.seconds.plus(secondsOfReads);
    figures.atMost(what + ", to local disk and these reads", onRados.seconds.over(least), "", GOAL);
  }

  private void delete(Path directory) throws IOException {
    fileSystem(directory).delete(directory, true);
  }

  private FileSystem fileSystem(Path directory) throws IOException {
    return directory.getFileSystem(spark.sessionState().newHadoopConf());
  }
}
