// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.streams.SeveralStreams;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What the cluster can do by {@code rados bench}, for each size of objects and depth; and the
 * connector's streams with their defaults, for each size of file and number of streams at once.
 * Each round ends with {@code rados bench} as the streams work: objects of 4 MiB, and as many
 * operations under way. The streams' ratios are to it.
 */
final class LimitBench implements BenchPart {

  private static final long MIB = 1 << 20;
  private static final String WRITE = "write";
  private static final String READ = "read";

  /**
   * How much is measured.
   *
   * @param objectMib sizes of objects
   * @param depths of rados bench
   * @param fileMib sizes of files, of each stream
   * @param streams at once
   * @param benchMib rados bench writes so much, but no more than that many objects
   */
  record Extent(
      List<Integer> objectMib,
      List<Integer> depths,
      List<Integer> fileMib,
      List<Integer> streams,
      int benchMib,
      int benchObjects) {

    static Extent whole() {
      return new Extent(
          List.of(1, 2, 4, 8, 16, 32, 64, 128),
          List.of(1, 2, 4, 8, 16),
          List.of(1, 4, 16, 64, 256, 1024),
          List.of(1, 2, 4),
          1024,
          256);
    }

    static Extent inShort() {
      return new Extent(
          List.of(1, 4, 16, 128), List.of(1, 4, 16), List.of(1, 16, 128), List.of(1, 4), 256, 64);
    }

    /** What rados bench writes: as many objects at least as it has operations under way. */
    long bytes(int ofObjectMib, int depth) {
      long objects = Math.max(depth, Math.min(benchObjects, benchMib / ofObjectMib));
      return objects * ofObjectMib * MIB;
    }

    /** What is moved in a round by rados bench. */
    long benchMibOfARound() {
      long bytes = 0;
      for (int size : objectMib) {
        for (int depth : depths) {
          bytes += bytes(size, depth);
        }
      }
      return bytes / MIB;
    }

    /** What is moved in a round by streams. */
    long streamMibOfARound() {
      long mib = 0;
      for (int size : fileMib) {
        for (int count : streams) {
          mib += (long) size * count;
        }
      }
      return mib;
    }
  }

  private final PoolName pool;
  private final CephCli ceph;
  private final FileSystem fileSystem;
  private final Path directory;
  private final int writeDepth;
  private final int readDepth;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Samples ceilingWrite = new Samples();
  private final Samples ceilingRead = new Samples();

  /** By what was measured: of rados bench, and of the streams. */
  private final Map<RadosLoad, Samples> benches = new TreeMap<>(RadosLoad.ORDER);

  private final Map<Streams, Samples> streams = new TreeMap<>(Streams.ORDER);

  private record RadosLoad(String mode, int depth, int mib) {
    static final Comparator<RadosLoad> ORDER =
        Comparator.comparing(RadosLoad::mode)
            .reversed()
            .thenComparing(RadosLoad::depth)
            .thenComparing(RadosLoad::mib);
  }

  private record Streams(String mode, int count, int mib) {
    static final Comparator<Streams> ORDER =
        Comparator.comparing(Streams::mode)
            .reversed()
            .thenComparing(Streams::count)
            .thenComparing(Streams::mib);
  }

  LimitBench(
      URI base,
      java.nio.file.Path cephConf,
      Configuration configuration,
      Extent extent,
      int rounds,
      TimeTold progress)
      throws IOException {
    this.pool = PoolName.of(base);
    this.ceph = new CephCli(cephConf);
    this.fileSystem = FileSystem.get(base, configuration);
    this.directory = new Path(new Path(base), "limit");
    Settings settings = new Settings(configuration, pool.pool());
    this.writeDepth = settings.get(Options.WRITE_WINDOW);
    this.readDepth = settings.get(Options.READ_WINDOW);
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException {
    progress.begin("limit", rounds * (extent.benchMibOfARound() + extent.streamMibOfARound()));
    SeveralStreams files = new SeveralStreams(fileSystem, directory);
    try {
      files.write(1, 64 * MIB);
      files.read(1, 64 * MIB);
      for (int round = 1; round <= rounds; round++) {
        for (int depth : extent.depths()) {
          for (int size : extent.objectMib()) {
            bench(size, depth, round);
          }
        }
        for (int count : extent.streams()) {
          for (int size : extent.fileMib()) {
            streams(files, size, count, round);
          }
        }
        ceiling();
        results.measured(figures());
      }
    } finally {
      fileSystem.delete(directory, true);
    }
  }

  private void bench(int size, int depth, int round) throws IOException {
    RadosBench bench = new RadosBench(ceph, pool, Math.toIntExact(size * MIB));
    long bytes = extent.bytes(size, depth);
    double write = bench.write(bytes, depth);
    double read = bench.read(depth);
    bench.cleanUp();
    samples(benches, new RadosLoad(WRITE, depth, size)).add(write);
    samples(benches, new RadosLoad(READ, depth, size)).add(read);
    progress.done(
        bytes / MIB,
        "round %d, rados bench, objects of %d MiB x %d: written %.0f MiB/s, read %.0f MiB/s",
        round,
        size,
        depth,
        write,
        read);
  }

  private void streams(SeveralStreams files, int size, int count, int round) throws IOException {
    double write = files.write(count, size * MIB);
    double read = files.read(count, size * MIB);
    samples(streams, new Streams(WRITE, count, size)).add(write);
    samples(streams, new Streams(READ, count, size)).add(read);
    progress.done(
        (long) size * count,
        "round %d, %d streams of %d MiB: written %.0f MiB/s, read %.0f MiB/s",
        round,
        count,
        size,
        write,
        read);
  }

  private void ceiling() throws IOException {
    RadosBench bench = new RadosBench(ceph, pool);
    long bytes = Math.max(extent.benchMib() * MIB, writeDepth * (long) RadosBench.OBJECT_BYTES);
    ceilingWrite.add(bench.write(bytes, writeDepth));
    ceilingRead.add(bench.read(readDepth));
    bench.cleanUp();
  }

  private static <K> Samples samples(Map<K, Samples> of, K key) {
    return of.computeIfAbsent(key, unused -> new Samples());
  }

  private List<Figure> figures() {
    Figures figures = new Figures("limit");
    benches.forEach(
        (bench, samples) ->
            figures.note(
                bench.mode() + ", rados bench, " + bench.mib() + " MiB x " + bench.depth(),
                samples,
                "MiB/s",
                new Point(
                    "limit: rados bench, " + bench.mode(),
                    "depth " + bench.depth(),
                    "size of an object, MiB",
                    bench.mib())));
    figures.note(
        "write, rados bench, 4 MiB x " + writeDepth + ", beside streams", ceilingWrite, "MiB/s");
    figures.note(
        "read, rados bench, 4 MiB x " + readDepth + ", beside streams", ceilingRead, "MiB/s");
    streams.forEach(
        (key, samples) -> {
          String name = key.mode() + ", " + key.count() + " streams, " + key.mib() + " MiB each";
          figures.note(name, samples, "MiB/s", point("limit: streams, ", key));
          figures.note(
              name + ", to rados bench",
              samples.over(key.mode().equals(WRITE) ? ceilingWrite : ceilingRead),
              "",
              point("limit: streams to rados bench, ", key));
        });
    return figures.list();
  }

  private static Point point(String plot, Streams streams) {
    return new Point(
        plot + streams.mode(), streams.count() + " at once", "size of a file, MiB", streams.mib());
  }
}
