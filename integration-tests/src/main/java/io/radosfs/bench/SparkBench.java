// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.JobData;
import io.radosfs.bench.works.NamePart;
import io.radosfs.bench.works.PreparedWork;
import io.radosfs.bench.works.SparkWork;
import io.radosfs.bench.works.SparkWorks;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkGoals;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.bench.works.WorkStep;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.WriteMetrics;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Spark jobs on rados:// with our committer and on the local disk with FileOutputCommitter
 * (algorithm 1), in turns. What is written large is read back too, and the OSDs' count of its bytes
 * is held against its files. Each work is reported when it is done.
 */
final class SparkBench implements BenchPart {

  private static final String NAME = "spark";
  private static final String READ_BACK = SparkWorks.LARGE + ", read back";
  private static final String BYTES = SparkWorks.LARGE + ", bytes at the OSDs";
  private static final int BYTES_ROUNDS = 3;

  /** About: to tell how long the rest takes. */
  private static final int SECONDS_OF_A_READ = 3;

  private static final int SECONDS_OF_A_COUNTED_WRITE = 6;

  private final SparkSession spark;
  private final List<SparkWork> works;
  private final WorkSide rados;
  private final WorkSide disk;
  private final CephCli ceph;
  private final Costs costs;
  private final ColdCaches caches;
  private final String only;
  private final int rounds;
  private final TimeTold progress;
  private final WriteMetrics metrics = new WriteMetrics();
  private final Figures figures = new Figures(NAME);
  private int jobs;

  /**
   * The part.
   *
   * @param only a part of the names of those works that are done; null for all
   */
  SparkBench(
      SparkSession spark,
      List<SparkWork> works,
      URI base,
      java.nio.file.Path localDirectory,
      java.nio.file.Path cephConf,
      String only,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.works = works;
    this.rados = WorkSide.rados(base, NAME);
    this.disk = WorkSide.disk(localDirectory, NAME);
    this.ceph = new CephCli(cephConf);
    this.costs = new Costs(cephConf, List.of());
    this.caches = new ColdCaches(ceph);
    this.only = only;
    this.rounds = rounds;
    this.progress = progress;
  }

  /**
   * Something that is measured, and reported, by itself.
   *
   * @param seconds what it takes, about
   */
  record Planned(String name, long seconds, Costs.Work work) {

    /**
     * Those that are asked for.
     *
     * @param only a part of their names, in small or capital letters; null for all
     * @throws IllegalArgumentException if none is
     */
    static List<Planned> chosen(List<Planned> all, String only) {
      if (only == null) {
        return all;
      }
      NamePart part = new NamePart(only);
      List<Planned> chosen = all.stream().filter(one -> part.isIn(one.name)).toList();
      if (chosen.isEmpty()) {
        throw part.isInNone(all.stream().map(Planned::name).toList());
      }
      return chosen;
    }
  }

  @Override
  public void run(BenchResults results) throws Exception {
    List<Planned> chosen = Planned.chosen(planned(), only);
    progress.begin(NAME, chosen.stream().mapToLong(Planned::seconds).sum());
    spark.listenerManager().register(metrics);
    try {
      for (Planned one : chosen) {
        results.attempt(one.name, one.work);
        results.measured(figures.list());
      }
    } finally {
      spark.listenerManager().unregister(metrics);
      WorkSide.delete(spark, rados.root());
      WorkSide.delete(spark, disk.root());
    }
  }

  private List<Planned> planned() {
    List<Planned> all = new ArrayList<>();
    for (SparkWork work : works) {
      all.add(new Planned(work.name(), work.secondsOfAll(rounds), () -> compare(work)));
      if (work.name().equals(SparkWorks.LARGE)) {
        all.add(
            new Planned(
                READ_BACK, SECONDS_OF_A_READ * ReadTurns.reads(caches, rounds), this::readBack));
        all.add(
            new Planned(
                BYTES,
                (long) SECONDS_OF_A_COUNTED_WRITE * Math.min(rounds, BYTES_ROUNDS),
                this::countBytes));
      }
    }
    return all;
  }

  /** What a step took in all rounds. */
  private record StepTimes(SideCosts whole, SideTimes commit) {
    StepTimes(boolean warmsUp) {
      this(new SideCosts(warmsUp), new SideTimes(warmsUp));
    }
  }

  private void compare(SparkWork work) throws Exception {
    try (PreparedWork prepared = work.preparation().get()) {
      Map<WorkStep, StepTimes> times = new LinkedHashMap<>();
      prepared.steps().forEach(step -> times.put(step, new StepTimes(work.warmsUp())));
      for (int round = work.warmsUp() ? 0 : 1; round <= work.rounds(rounds); round++) {
        // Each goes first in every other round.
        for (WorkSide side : Turns.of(List.of(disk, rados), round)) {
          turn(times, side, round);
          progress.done(work.seconds(), "%s, %s, %s", work.name(), named(round), side.title());
        }
      }
      times.forEach(this::tell);
    }
  }

  private static String named(int round) {
    return round == 0 ? "warm-up" : "round " + round;
  }

  private void turn(Map<WorkStep, StepTimes> times, WorkSide side, int round) throws Exception {
    Path directory = next(side);
    side.choose(spark);
    for (WorkStep step : times.keySet()) {
      metrics.forget();
      JobData.quiesce();
      Cost cost = costs.ofProcessors(() -> step.job().run(directory));
      double commitSeconds = metrics.next().commitJobMillis() / 1e3;
      times.get(step).whole.add(side.title(), cost);
      times.get(step).commit.add(side.title(), commitSeconds);
      progress.say(
          "%s, %s, %s: %.2f s (commitJob %.3f s)",
          step.name(), named(round), side.title(), cost.seconds(), commitSeconds);
    }
    WorkSide.delete(spark, directory);
  }

  private void tell(WorkStep step, StepTimes times) {
    times.whole.tell(figures, step.name(), step.toDisk());
    step.commitSeconds()
        .ifPresent(goal -> times.commit.tellSeconds(figures, step.name() + ", commitJob", goal));
  }

  private void readBack() throws Exception {
    if (!caches.canDrop()) {
      progress.say("only root may empty the page cache, so nothing is measured cold");
    }
    JobData data = new JobData(spark);
    Path onDisk = next(disk);
    Path onRados = next(rados);
    write(disk, onDisk);
    write(rados, onRados);
    data.read(onDisk, SparkWorks.LARGE_MIB);
    data.read(onRados, SparkWorks.LARGE_MIB);
    JobData.quiesce();
    ReadTurns turns =
        new ReadTurns(spark, onDisk, onRados, caches, costs, SECONDS_OF_A_READ, progress);
    for (int round = 0; round <= rounds; round++) {
      turns.round(round);
    }
    turns.tell(figures, READ_BACK);
    WorkSide.delete(spark, onDisk);
    WorkSide.delete(spark, onRados);
  }

  /** Spark's figures of it are taken, so that they are not those of the next work. */
  private void write(WorkSide side, Path directory) throws InterruptedException {
    side.choose(spark);
    metrics.forget();
    large().write().parquet(directory.toString());
    WriteMetrics.Write unused = metrics.next();
  }

  private Dataset<Row> large() {
    return new JobData(spark).incompressible(SparkWorks.LARGE_MIB, SparkWorks.LARGE_FILES);
  }

  /**
   * By the OSDs' counters, before a write and after it. They count what all clients do, so this is
   * for a cluster that nobody else uses; and asking them takes a second, so it is not done around a
   * write that is timed.
   */
  private void countBytes() throws Exception {
    Samples ratio = new Samples();
    for (int round = 1; round <= Math.min(rounds, BYTES_ROUNDS); round++) {
      Path directory = next(rados);
      JobData.quiesce();
      OsdCounters before = ceph.osdCounters();
      write(rados, directory);
      OsdCounters written = ceph.osdCounters().minus(before);
      long bytes =
          directory
              .getFileSystem(spark.sessionState().newHadoopConf())
              .getContentSummary(directory)
              .getLength();
      ratio.add(written.bytesWritten() / (double) bytes);
      progress.done(
          SECONDS_OF_A_COUNTED_WRITE,
          "%s, %s: %,d of files of %,d",
          BYTES,
          named(round),
          written.bytesWritten(),
          bytes);
      WorkSide.delete(spark, directory);
    }
    figures.atMost(BYTES + ", to those of the files", ratio, "", WorkGoals.BYTES_TO_FILES);
  }

  private Path next(WorkSide side) {
    return new Path(side.root(), "write-" + jobs++);
  }
}
