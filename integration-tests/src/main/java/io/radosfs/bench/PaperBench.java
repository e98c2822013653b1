// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.paper.PaperCase;
import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.paper.PaperData;
import io.radosfs.bench.paper.PrintedSpeed;
import io.radosfs.bench.paper.PrintedSpeeds;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * One task writes a cached DataFrame to rados://, in each format and with each committer, to pools
 * with one copy and with three; beside {@code rados bench} in the same pool and round. All that one
 * plot shows is measured together, so that a run that breaks off has whole plots.
 */
final class PaperBench implements BenchPart {

  private static final int BENCH_MIB = 256;
  private static final int BENCH_DEPTH = 8;
  private static final int COPIES = 3;

  /** What a job costs, however little it writes, as MiB that it could have written. */
  private static final int MIB_OF_A_JOB = 20;

  private static final String BUFFER = "spark.buffer.size";

  /** If it is not set. Spark sets Hadoop's to it in any case. */
  private static final int SPARKS_BUFFER = 64 << 10;

  /**
   * How much is measured.
   *
   * @param mib of text, the smallest first
   */
  record Extent(List<Integer> mib) {

    private static final int SMALL_MIB = 16;
    private static final int MEDIUM_MIB = 64;
    private static final int LARGE_MIB = 256;

    static Extent whole() {
      return new Extent(List.of(1, 4, 16, 64, 256, 1024));
    }

    static Extent inShort() {
      return new Extent(List.of(1, 16));
    }

    /** The larger a job is, the longer a round takes, and so the fewer there are. */
    static int roundsAtMost(int ofMib) {
      if (ofMib <= SMALL_MIB) {
        return 5;
      }
      if (ofMib <= MEDIUM_MIB) {
        return 3;
      }
      return ofMib <= LARGE_MIB ? 2 : 1;
    }

    static int rounds(int ofMib, int wanted) {
      return Math.min(wanted, roundsAtMost(ofMib));
    }

    /**
     * Whether a round of it comes before the others that counts for nothing. It is the JVM and
     * Spark that are warmed up, for which the smallest does.
     */
    boolean warmsUp(int ofMib) {
      return ofMib == mib.get(0);
    }

    /** What the jobs of one committer write in one plot, and what they cost beside it. */
    long units(int wanted) {
      long units = 0;
      for (int size : mib) {
        units += (rounds(size, wanted) + (warmsUp(size) ? 1L : 0L)) * (size + MIB_OF_A_JOB);
      }
      return units;
    }
  }

  private final CephCli ceph;
  private final java.nio.file.Path cephConf;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("paper");
  private final PrintedSpeeds printed;
  private int jobs;

  PaperBench(java.nio.file.Path cephConf, Extent extent, int rounds, TimeTold progress)
      throws IOException {
    this.ceph = new CephCli(cephConf);
    this.cephConf = cephConf;
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
    this.printed = PrintedSpeeds.read();
  }

  /** To be run while this process has no Spark session: the buffer is one of its settings. */
  @Override
  public void run(BenchResults results) throws Exception {
    List<Integer> sizes = poolSizes();
    long plots = (long) sizes.size() * Buffer.values().length * Format.values().length;
    progress.begin("paper", plots * PaperCase.Committer.values().length * extent.units(rounds));
    results.found(leftOut(sizes));
    results.found(figuresOfThePaper(printed));
    for (int copies : sizes) {
      try (BenchPool pool = BenchPool.create(ceph, "radosfs-bench-" + copies, copies)) {
        for (Buffer buffer : Buffer.values()) {
          withBuffer(results, pool.name(), copies, buffer);
        }
      }
    }
  }

  private Findings leftOut(List<Integer> poolSizes) {
    List<List<String>> rows = new ArrayList<>();
    if (!poolSizes.contains(COPIES)) {
      rows.add(List.of("pool size " + COPIES, "the cluster has fewer than three OSDs"));
    }
    for (int mib : extent.mib()) {
      int less = rounds - Extent.rounds(mib, rounds);
      if (less > 0) {
        String what = String.format(Locale.ROOT, "%d of %d rounds, %,d MiB", less, rounds, mib);
        rows.add(List.of(what, "the larger a job is, the longer a round takes"));
      }
    }
    return new Findings("paper", "what was left out", List.of("left out", "why"), rows);
  }

  /** What is known of the figures that the plots are to stand for, and what is not. */
  static Findings figuresOfThePaper(PrintedSpeeds printed) {
    List<List<String>> rows =
        List.of(
            List.of(
                "which format, pool size and buffer each of the figures is of",
                "not known here. So no plot has the"
                    + " number of a figure; each is titled by what it shows, and there is one for"
                    + " each format, pool size and buffer"),
            List.of("the numbers that the figures print", "not known: none is drawn"),
            List.of(
                "numbers that are drawn and not measured here",
                printed.all().size()
                    + " points of MiB of text a second, each marked as printed: from "
                    + printed.source()),
            List.of(
                "the same as a share of rados bench",
                "not drawn: there is no rados bench of the same run"));
    return new Findings(
        "paper", "the paper's figures 5 to 14", List.of("asked for", "what is here"), rows);
  }

  private List<Integer> poolSizes() throws IOException {
    return ceph.ceph("osd", "ls").size() >= COPIES ? List.of(1, COPIES) : List.of(1);
  }

  private void withBuffer(BenchResults results, PoolName pool, int copies, Buffer buffer)
      throws Exception {
    if (buffer.bytes() > 0) {
      System.setProperty(BUFFER, Integer.toString(buffer.bytes()));
    }
    try (SparkSession spark = SparkSessions.local("2", cephConf)) {
      int set = spark.sparkContext().hadoopConfiguration().getInt("io.file.buffer.size", 0);
      if (set != (buffer.bytes() > 0 ? buffer.bytes() : SPARKS_BUFFER)) {
        throw new IllegalStateException("the buffer of Spark's session has " + set + " bytes");
      }
      RadosBench bench = new RadosBench(ceph, pool);
      for (Format format : Format.values()) {
        for (int mib : extent.mib()) {
          List<PaperCase> cases = PaperCase.of(copies, buffer, format, mib);
          results.attempt(
              cases.get(0).nameOfAll(), () -> compare(results, spark, pool, bench, mib, cases));
        }
        for (PrintedSpeed one : printed.of(copies, buffer, format, extent.mib())) {
          Samples speed = new Samples();
          speed.add(one.mibASecond());
          figures.note(one.name(), speed, "MiB/s", one.point());
        }
        results.measured(figures.list());
      }
    } finally {
      System.clearProperty(BUFFER);
      // What is cached has the settings of this session.
      FileSystem.closeAll();
    }
  }

  private record Speeds(Samples mibASecond, Samples share) {
    Speeds() {
      this(new Samples(), new Samples());
    }

    void add(double speed, double ceiling) {
      mibASecond.add(speed);
      share.add(speed / ceiling);
    }
  }

  /** One size of one plot, by each committer; one that fails takes no further part in it. */
  private void compare(
      BenchResults results,
      SparkSession spark,
      PoolName pool,
      RadosBench bench,
      int mib,
      List<PaperCase> cases)
      throws Exception {
    Map<PaperCase, Speeds> speeds = new LinkedHashMap<>();
    cases.forEach(one -> speeds.put(one, new Speeds()));
    try (PaperData data = new PaperData(spark, mib)) {
      if (extent.warmsUp(mib)) {
        for (PaperCase one : cases) {
          results.attempt("warm-up, " + one.name(), () -> speed(spark, data, pool, one));
        }
      }
      List<PaperCase> taking = new ArrayList<>(cases);
      for (int round = 0; round < Extent.rounds(mib, rounds); round++) {
        double ceiling = bench.write((long) BENCH_MIB << 20, BENCH_DEPTH);
        bench.cleanUp();
        for (PaperCase one : Turns.of(taking, round)) {
          if (!results.attempt(
              one.name(), () -> speeds.get(one).add(speed(spark, data, pool, one), ceiling))) {
            taking.remove(one);
          }
        }
      }
    }
    speeds.values().removeIf(of -> of.share.values().isEmpty());
    speeds.forEach(
        (one, of) -> {
          figures.note(one.name(), of.mibASecond, "MiB/s", one.speed());
          figures.note(one.name() + ", share of rados bench", of.share, "", one.share());
        });
  }

  /** MiB of text a second. */
  private double speed(SparkSession spark, PaperData data, PoolName pool, PaperCase one)
      throws IOException {
    Path directory = new Path("rados://" + pool.pool() + "/paper/job-" + jobs++);
    one.committer()
        .settings()
        .forEach(
            (key, value) -> {
              spark.conf().set(key, value);
              // RDDs do not ask the session.
              spark.sparkContext().hadoopConfiguration().set(key, value);
            });
    System.gc();
    long started = System.nanoTime();
    data.write(one.format(), directory);
    double seconds = (System.nanoTime() - started) / 1e9;
    FileSystem fileSystem = directory.getFileSystem(spark.sparkContext().hadoopConfiguration());
    check(fileSystem, directory, one);
    fileSystem.delete(directory, true);
    double speed = one.mib() / seconds;
    progress.done(one.mib() + MIB_OF_A_JOB, "%s: %.2f s, %.0f MiB/s", one.name(), seconds, speed);
    return speed;
  }

  /** The rows do not compress well, so that each format has to write most of them. */
  private static void check(FileSystem fileSystem, Path directory, PaperCase one)
      throws IOException {
    long bytes = 0;
    for (FileStatus status : fileSystem.listStatus(directory)) {
      bytes += status.getPath().getName().startsWith("part-") ? status.getLen() : 0;
    }
    if (bytes < ((long) one.mib() << 20) / 2) {
      throw new IOException(directory + " has " + bytes + " bytes: " + one.name());
    }
  }
}
