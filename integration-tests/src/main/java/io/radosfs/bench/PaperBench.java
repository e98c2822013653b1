// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.PaperCase.Buffer;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * One task writes a cached DataFrame to rados://, in each format and with each committer, to pools
 * with one copy and with three; beside {@code rados bench} in the same pool and round.
 */
final class PaperBench implements BenchPart {

  private static final int BENCH_MIB = 256;
  private static final int BENCH_DEPTH = 8;
  private static final int COPIES = 3;
  private static final String BUFFER = "spark.buffer.size";

  /** If it is not set. Spark sets Hadoop's to it in any case. */
  private static final int SPARKS_BUFFER = 64 << 10;

  /**
   * How much is measured.
   *
   * @param mib of text
   */
  record Extent(List<Integer> mib) {

    static Extent whole() {
      return new Extent(List.of(1, 4, 16, 64, 256, 1024));
    }

    static Extent inShort() {
      return new Extent(List.of(1, 16));
    }
  }

  private final CephCli ceph;
  private final java.nio.file.Path cephConf;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("paper");
  private int jobs;

  PaperBench(java.nio.file.Path cephConf, Extent extent, int rounds, TimeTold progress) {
    this.ceph = new CephCli(cephConf);
    this.cephConf = cephConf;
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** To be run while this process has no Spark session: the buffer is one of its settings. */
  @Override
  public List<Figure> run() throws Exception {
    List<Integer> sizes = poolSizes();
    int cases = PaperCase.of(1, Buffer.DEFAULT, 1).size();
    long turns = (long) sizes.size() * Buffer.values().length * extent.mib().size() * cases;
    progress.begin("paper", turns * (rounds + 1));
    if (!sizes.contains(COPIES)) {
      progress.say("fewer than %d OSDs: no pool of size %d", COPIES, COPIES);
    }
    for (int copies : sizes) {
      try (BenchPool pool = BenchPool.create(ceph, "radosfs-bench-" + copies, copies)) {
        for (Buffer buffer : Buffer.values()) {
          withBuffer(pool.name(), copies, buffer);
        }
      }
    }
    return figures.list();
  }

  private List<Integer> poolSizes() throws IOException {
    return ceph.ceph("osd", "ls").size() >= COPIES ? List.of(1, COPIES) : List.of(1);
  }

  private void withBuffer(PoolName pool, int copies, Buffer buffer) throws Exception {
    if (buffer.bytes() > 0) {
      System.setProperty(BUFFER, Integer.toString(buffer.bytes()));
    }
    try (SparkSession spark = SparkSessions.local("2", cephConf)) {
      int set = spark.sparkContext().hadoopConfiguration().getInt("io.file.buffer.size", 0);
      if (set != (buffer.bytes() > 0 ? buffer.bytes() : SPARKS_BUFFER)) {
        throw new IllegalStateException("the buffer of Spark's session has " + set + " bytes");
      }
      RadosBench bench = new RadosBench(ceph, pool);
      for (int mib : extent.mib()) {
        try (PaperData data = new PaperData(spark, mib)) {
          compare(spark, data, pool, bench, PaperCase.of(copies, buffer, mib));
        }
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
  }

  /** The first round is a warm-up, and none of the samples. */
  private void compare(
      SparkSession spark, PaperData data, PoolName pool, RadosBench bench, List<PaperCase> cases)
      throws Exception {
    Map<PaperCase, Speeds> speeds = new LinkedHashMap<>();
    cases.forEach(one -> speeds.put(one, new Speeds()));
    for (int round = 0; round <= rounds; round++) {
      double ceiling = bench.write((long) BENCH_MIB << 20, BENCH_DEPTH);
      bench.cleanUp();
      for (PaperCase one : turns(cases, round)) {
        double seconds = seconds(spark, data, pool, one);
        double speed = one.mib() / seconds;
        if (round > 0) {
          speeds.get(one).mibASecond.add(speed);
          speeds.get(one).share.add(speed / ceiling);
        }
        progress.done(1, "%s: %.2f s, %.0f MiB/s", one.name(), seconds, speed);
      }
    }
    speeds.forEach(
        (one, of) -> {
          figures.note(one.name(), of.mibASecond, "MiB/s", one.point("MiB/s"));
          figures.note(
              one.name() + ", share of rados bench",
              of.share,
              "",
              one.point("share of rados bench"));
        });
  }

  /** Another goes first in each round. */
  static <T> List<T> turns(List<T> all, int round) {
    List<T> turns = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      turns.add(all.get((i + round) % all.size()));
    }
    return turns;
  }

  private double seconds(SparkSession spark, PaperData data, PoolName pool, PaperCase one)
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
    return seconds;
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
