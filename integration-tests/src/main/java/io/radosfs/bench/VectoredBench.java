// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * Scattered ranges of one file by one vectored read, beside positioned reads of others like it. The
 * file is as large as a row group of Parquet by default, as that is what its reader reads by one
 * vectored read; and, for comparison, larger, where hardly two ranges share a stripe.
 */
final class VectoredBench implements BenchPart {

  private static final int RANGES = 100;
  private static final int RANGE_BYTES = 64 << 10;
  private static final long ROW_GROUP = 128L << 20;
  private static final long LARGER = 512L << 20;
  private static final int REPETITIONS = 10;

  /** How the ranges are read. */
  private enum Way {
    VECTORED(2000),
    ONE_BY_ONE(400);

    /**
     * So many that the JVM has compiled what they run, as in a process that has read for a while. A
     * vectored read has as many operations as there are stripes, and so takes more of them.
     */
    private final int warmUps;

    Way(int warmUps) {
      this.warmUps = warmUps;
    }
  }

  private static final double GOAL = 5;

  private final FileSystem fileSystem;
  private final Path file;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("vectored");
  private final SplittableRandom random = new SplittableRandom(1);

  VectoredBench(URI base, Configuration configuration, int rounds, TimeTold progress)
      throws IOException {
    this.fileSystem = FileSystem.get(base, configuration);
    this.file = new Path(new Path(base), "vectored");
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin("vectored", 2L * (rounds + 1));
    String speed = "speed of vectored to one by one, ";
    results.attempt(
        "128 MiB",
        () -> figures.atLeast(speed + "128 MiB", ratios(ROW_GROUP, "128 MiB"), "", GOAL));
    results.measured(figures.list());
    results.attempt(
        "512 MiB", () -> figures.note(speed + "512 MiB", ratios(LARGER, "512 MiB"), ""));
    results.measured(figures.list());
  }

  /** What one by one takes, divided by what one vectored read takes. */
  private Samples ratios(long bytes, String size) throws IOException {
    Samples vectored = new Samples();
    Samples oneByOne = new Samples();
    try {
      write(bytes);
      for (Way way : Way.values()) {
        double unused = measure(bytes, way, way.warmUps);
      }
      progress.done(1, "%s: warmed up", size);
      for (int round = 1; round <= rounds; round++) {
        for (Way way : Turns.of(List.of(Way.values()), round)) {
          (way == Way.VECTORED ? vectored : oneByOne).add(measure(bytes, way, REPETITIONS));
        }
        progress.done(
            1,
            "%s, round %d: %d ranges by one read in %.2f ms, one after another in %.2f ms",
            size,
            round,
            RANGES,
            vectored.last(),
            oneByOne.last());
      }
    } finally {
      fileSystem.delete(file, false);
    }
    figures.note("100 x 64 KiB of " + size + ", vectored", vectored, "ms");
    figures.note("100 x 64 KiB of " + size + ", one by one", oneByOne, "ms");
    return oneByOne.over(vectored);
  }

  private void write(long bytes) throws IOException {
    byte[] content = new byte[1 << 20];
    try (OutputStream stream = fileSystem.create(file, true)) {
      for (long at = 0; at < bytes; at += content.length) {
        random.nextBytes(content);
        stream.write(content);
      }
    }
  }

  /** Milliseconds for the ranges, the mean of some repetitions, each of other ranges. */
  private double measure(long bytes, Way way, int repetitions) throws IOException {
    long nanos = 0;
    try (FSDataInputStream in = fileSystem.open(file)) {
      for (int i = 0; i < repetitions; i++) {
        List<FileRange> ranges = scattered(bytes);
        long started = System.nanoTime();
        if (way == Way.VECTORED) {
          in.readVectored(ranges, ByteBuffer::allocate);
          for (FileRange range : ranges) {
            FutureIO.awaitFuture(range.getData());
          }
        } else {
          for (FileRange range : ranges) {
            in.readFully(range.getOffset(), new byte[range.getLength()]);
          }
        }
        nanos += System.nanoTime() - started;
      }
    }
    return nanos / 1e6 / repetitions;
  }

  /** In the file's order, as a reader of columns asks for them. */
  private List<FileRange> scattered(long bytes) {
    TreeSet<Long> places = new TreeSet<>();
    while (places.size() < RANGES) {
      places.add(random.nextLong(bytes / RANGE_BYTES));
    }
    List<FileRange> ranges = new ArrayList<>();
    places.forEach(
        place -> ranges.add(FileRange.createFileRange(place * RANGE_BYTES, RANGE_BYTES)));
    return ranges;
  }
}
