// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.streams.StreamCalls;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * An RDD persisted on the executors' local disk, beside the same checkpointed on rados://, and
 * beside as many bytes that tasks write to rados:// without Spark's serializers, and beside what
 * the serializers take without a file. Each is counted twice: the first time writes it, the second
 * time reads it. The rows are copies of one block, so that making them costs next to nothing, as a
 * checkpoint makes them twice.
 */
final class RddBench implements BenchPart {

  private static final String SERIALIZER = "spark.serializer";

  /** Spark 4 does by default. Copies of one block would come to an eighth, and compare nothing. */
  private static final String COMPRESS = "spark.checkpoint.compress";

  private static final int MIB = 1 << 20;
  private static final int ROW = 4096;
  private static final int GOAL_MIB = 1000;
  private static final double GOAL = 0.95;

  /**
   * How much is measured.
   *
   * @param mib sizes of RDDs
   * @param partitions how many each has
   */
  record Extent(List<Integer> mib, List<Integer> partitions) {

    static Extent whole() {
      return new Extent(List.of(100, 250, 500, 1000, 2000), List.of(1, 4));
    }

    static Extent inShort() {
      return new Extent(List.of(100, 250), List.of(1, 4));
    }

    long mibOfARound() {
      return (long) partitions.size() * mib.stream().mapToInt(size -> size).sum();
    }
  }

  /** Spark's. */
  private enum Serializer {
    JAVA("Java", "org.apache.spark.serializer.JavaSerializer"),
    KRYO("Kryo", "org.apache.spark.serializer.KryoSerializer");

    private final String title;
    private final String className;

    Serializer(String title, String className) {
      this.title = title;
      this.className = className;
    }
  }

  /** What is done with the rows. */
  private enum Way {
    PERSIST("persisted on the local disk"),
    CHECKPOINT("checkpointed on rados://"),
    RAW("written by tasks alone to rados://"),
    DROPPED("serialized by tasks and dropped");

    private final String title;

    Way(String title) {
      this.title = title;
    }
  }

  private record Times(Samples write, Samples read) {
    Times() {
      this(new Samples(), new Samples());
    }
  }

  private final java.nio.file.Path cephConf;
  private final Path directory;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("rdd");

  RddBench(URI base, java.nio.file.Path cephConf, Extent extent, int rounds, TimeTold progress) {
    this.cephConf = cephConf;
    this.directory = new Path(new Path(base), "rdd");
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** To be run while this process has no Spark session: the serializer is one of its settings. */
  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin("rdd", (rounds + 1) * extent.mibOfARound() * Serializer.values().length);
    for (Serializer serializer : Serializer.values()) {
      System.setProperty(SERIALIZER, serializer.className);
      System.setProperty(COMPRESS, "false");
      try (SparkSession spark = SparkSessions.local("2", cephConf)) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        if (!context.getConf().get(SERIALIZER).equals(serializer.className)) {
          throw new IllegalStateException("another Spark session runs in this process");
        }
        FileSystem fileSystem = directory.getFileSystem(context.hadoopConfiguration());
        context.setCheckpointDir(directory.toString());
        try {
          for (int partitions : extent.partitions()) {
            for (int mib : extent.mib()) {
              results.attempt(
                  what(serializer, partitions, mib),
                  () -> compare(context, fileSystem, serializer, partitions, mib));
              results.measured(figures.list());
            }
          }
        } finally {
          fileSystem.delete(directory, true);
        }
      } finally {
        System.clearProperty(SERIALIZER);
        System.clearProperty(COMPRESS);
      }
    }
  }

  private void compare(
      JavaSparkContext context,
      FileSystem fileSystem,
      Serializer serializer,
      int partitions,
      int mib)
      throws IOException {
    Map<Way, Times> times = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      times.put(way, new Times());
    }
    for (int round = 0; round <= rounds; round++) {
      for (int turn = 0; turn < Way.values().length; turn++) {
        // Another goes first in each round.
        Way way = Way.values()[(turn + round) % Way.values().length];
        System.gc();
        double[] seconds =
            switch (way) {
              case PERSIST, CHECKPOINT -> counted(context, fileSystem, way, partitions, mib);
              case RAW -> raw(context, fileSystem, partitions, mib);
              case DROPPED -> dropped(context, partitions, mib);
            };
        if (round > 0) {
          times.get(way).write.add(seconds[0]);
          times.get(way).read.add(seconds[1]);
        }
        progress.say(
            "%s, %d MiB in %d partitions, %s: %.2f s, again %.2f s",
            serializer.title, mib, partitions, way.title, seconds[0], seconds[1]);
      }
      progress.done(
          mib,
          "%s, %d MiB in %d partitions: %s",
          serializer.title,
          mib,
          partitions,
          round == 0 ? "warmed up" : "round " + round);
    }
    report(serializer, partitions, mib, times);
  }

  /** Seconds until it is written, and until it is read. */
  private double[] counted(
      JavaSparkContext context, FileSystem fileSystem, Way way, int partitions, int mib)
      throws IOException {
    JavaRDD<byte[]> rows = rows(context, partitions, mib);
    if (way == Way.PERSIST) {
      rows.persist(StorageLevel.DISK_ONLY());
    } else {
      rows.checkpoint();
    }
    double written = count(rows, mib);
    double read = count(rows, mib);
    if (way == Way.PERSIST) {
      rows.unpersist(true);
    } else {
      if (!rows.getCheckpointFile().isPresent()) {
        throw new IOException("Spark made no checkpoint of " + rows);
      }
      Path checkpoint = new Path(rows.getCheckpointFile().get());
      long bytes = fileSystem.getContentSummary(checkpoint).getLength();
      if (bytes < (long) mib * MIB) {
        throw new IOException("a checkpoint of " + mib + " MiB has " + bytes + " bytes");
      }
      fileSystem.delete(checkpoint, true);
    }
    return new double[] {written, read};
  }

  /**
   * What Spark does for a checkpoint but for writing it: rows are made and counted, and then made
   * again and serialized. The second count makes them once more.
   */
  private static double[] dropped(JavaSparkContext context, int partitions, int mib) {
    JavaRDD<byte[]> rows = rows(context, partitions, mib);
    double counted = count(rows, mib);
    long started = System.nanoTime();
    rows.foreachPartition(RddBench::serialize);
    double serialized = (System.nanoTime() - started) / 1e9;
    return new double[] {counted + serialized, count(rows, mib)};
  }

  private static void serialize(Iterator<byte[]> rows) {
    try (SerializationStream stream =
        SparkEnv.get()
            .serializer()
            .newInstance()
            .serializeStream(OutputStream.nullOutputStream())) {
      ClassTag<byte[]> type = ClassTag$.MODULE$.apply(byte[].class);
      while (rows.hasNext()) {
        SerializationStream unused = stream.writeObject(rows.next(), type);
      }
    }
  }

  private static double count(JavaRDD<byte[]> rows, int mib) {
    long started = System.nanoTime();
    long count = rows.count();
    double seconds = (System.nanoTime() - started) / 1e9;
    if (count != (long) mib * MIB / ROW) {
      throw new IllegalStateException(rows + " has " + count + " rows");
    }
    return seconds;
  }

  private static JavaRDD<byte[]> rows(JavaSparkContext context, int partitions, int mib) {
    long count = (long) mib * MIB / ROW / partitions;
    return context
        .parallelize(Collections.nCopies(partitions, count), partitions)
        .flatMap(RddBench::copies);
  }

  private static Iterator<byte[]> copies(long count) {
    byte[] block = new byte[ROW];
    new SplittableRandom(1).nextBytes(block);
    return java.util.stream.LongStream.range(0, count).mapToObj(row -> block.clone()).iterator();
  }

  /** As TestDFSIO does: each task writes a file, then each reads it. */
  private double[] raw(JavaSparkContext context, FileSystem fileSystem, int partitions, int mib)
      throws IOException {
    String raw = new Path(directory, "raw").toString();
    String conf = cephConf.toAbsolutePath().toString();
    long bytes = (long) mib * MIB / partitions;
    JavaRDD<Integer> tasks = context.parallelize(Collections.nCopies(partitions, 0), partitions);
    long began = System.nanoTime();
    tasks.foreachPartition(unused -> write(raw, conf, bytes));
    long written = System.nanoTime();
    tasks.foreachPartition(unused -> read(raw, conf, bytes));
    long read = System.nanoTime();
    fileSystem.delete(new Path(raw), true);
    return new double[] {(written - began) / 1e9, (read - written) / 1e9};
  }

  private static FileSystem fileSystemOfTask(String directory, String conf) throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(Options.CEPH_CONF.key(), conf);
    return new Path(directory).getFileSystem(configuration);
  }

  private static Path fileOfTask(String directory) {
    return new Path(directory, "part-" + TaskContext.getPartitionId());
  }

  private static void write(String directory, String conf, long bytes) {
    try {
      new StreamCalls(fileSystemOfTask(directory, conf)).write(fileOfTask(directory), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(String directory, String conf, long bytes) {
    try {
      new StreamCalls(fileSystemOfTask(directory, conf)).read(fileOfTask(directory), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String what(Serializer serializer, int partitions, int mib) {
    return String.format(
        Locale.ROOT, "%s, %,d MiB in %d partitions", serializer.title, mib, partitions);
  }

  private void report(Serializer serializer, int partitions, int mib, Map<Way, Times> times) {
    String what = what(serializer, partitions, mib);
    String plot = "rdd: " + serializer.title + ", " + partitions + " partitions, ";
    times.forEach(
        (way, of) -> {
          Point written = new Point(plot + "first count", way.title, "MiB", mib);
          figures.note(what + ", " + way.title + ", first count", of.write, "s", written);
          Point read = new Point(plot + "second count", way.title, "MiB", mib);
          figures.note(what + ", " + way.title + ", second count", of.read, "s", read);
        });
    Samples checkpoint = times.get(Way.CHECKPOINT).write;
    figures.note(
        what + ", checkpointed to persisted", checkpoint.over(times.get(Way.PERSIST).write), "");
    Samples speed = times.get(Way.RAW).write.over(checkpoint);
    String name = what + ", speed of the checkpoint to that of the raw write";
    Samples sum = times.get(Way.RAW).write.plus(times.get(Way.DROPPED).write);
    String ofSum = what + ", speed of the checkpoint to that of the raw write and Spark's own work";
    if (mib == GOAL_MIB) {
      figures.atLeast(name, speed, "", GOAL);
      figures.atLeast(ofSum, sum.over(checkpoint), "", GOAL);
    } else {
      figures.note(name, speed, "");
      figures.note(ofSum, sum.over(checkpoint), "");
    }
  }
}
