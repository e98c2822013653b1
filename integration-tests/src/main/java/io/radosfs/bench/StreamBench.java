// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.streams.StreamCalls;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** One stream at a time through the Hadoop file system with its defaults, beside rados bench. */
final class StreamBench implements BenchPart {

  private static final int MIB = 1 << 20;
  private static final long LARGE = 512L * MIB;
  private static final long SMALL = 64L * MIB;
  private static final double SMALL_CALLS = 0.9;

  private final FileSystem fileSystem;
  private final Path directory;
  private final RadosBench radosBench;
  private final int writeDepth;
  private final int readDepth;
  private final int rounds;
  private final TimeTold progress;
  private final StreamCalls calls;

  private final Goals goals;

  private final Samples radosWrite = new Samples();
  private final Samples radosRead = new Samples();
  private final Samples write64k = new Samples();
  private final Samples write1k = new Samples();
  private final Samples write1 = new Samples();
  private final Samples read = new Samples();

  StreamBench(
      URI base,
      java.nio.file.Path cephConf,
      Configuration configuration,
      int rounds,
      TimeTold progress)
      throws IOException {
    this.fileSystem = FileSystem.get(base, configuration);
    this.directory = new Path(new Path(base), "stream");
    PoolName pool = PoolName.of(base);
    CephCli ceph = new CephCli(cephConf);
    this.radosBench = new RadosBench(ceph, pool);
    this.goals = Goals.of(ceph.ceph("osd", "pool", "get", pool.pool(), "size").get("size").asInt());
    Settings settings = new Settings(configuration, pool.pool());
    this.writeDepth = settings.get(Options.WRITE_WINDOW);
    this.readDepth = settings.get(Options.READ_WINDOW);
    this.rounds = rounds;
    this.progress = progress;
    this.calls = new StreamCalls(fileSystem);
  }

  /**
   * What streams in 64-KiB calls are to reach, as shares of rados bench.
   *
   * @param write where the OSD has little to do for each byte, what the client does for it shows
   */
  record Goals(double write, double read) {

    private static final int COPIES = 3;

    /** Those of a pool that keeps so many copies. */
    static Goals of(int copies) {
      return copies >= COPIES ? new Goals(0.95, 1.0) : new Goals(0.92, 0.95);
    }
  }

  @Override
  public void run(BenchResults results) throws Exception {
    progress.begin("stream", rounds + 1);
    try {
      warmUp();
      for (int round = 1; round <= rounds; round++) {
        round(round);
        results.measured(figures());
      }
    } finally {
      fileSystem.delete(directory, true);
    }
  }

  private List<Figure> figures() {
    Figures figures = new Figures("stream");
    figures.note("rados bench, write 4 MiB x " + writeDepth, radosWrite, "MiB/s");
    figures.note("write 512 MiB in 64-KiB calls", write64k, "MiB/s");
    figures.atLeast(
        "write in 64-KiB calls to rados bench", write64k.over(radosWrite), "", goals.write);
    figures.note("write 512 MiB in 1-KiB calls", write1k, "MiB/s");
    figures.atLeast(
        "write in 1-KiB calls to rados bench", write1k.over(radosWrite), "", SMALL_CALLS);
    figures.note("write 64 MiB in 1-byte calls", write1, "MiB/s");
    figures.note("rados bench, seq read 4 MiB x " + readDepth, radosRead, "MiB/s");
    figures.note("read 512 MiB in 64-KiB calls", read, "MiB/s");
    figures.atLeast("read in 64-KiB calls to rados bench", read.over(radosRead), "", goals.read);
    return figures.list();
  }

  private void warmUp() throws IOException {
    calls.warmUp(new Path(directory, "small-stripes"));
    QuietOsds.pause();
    Path file = new Path(directory, "warm-up");
    calls.write(file, LARGE);
    calls.write(file, SMALL, 1);
    calls.write(file, SMALL, StreamCalls.SMALL_CALL);
    calls.verify(file, SMALL);
    fileSystem.delete(file, false);
    progress.done(1, "warmed up");
  }

  /**
   * As a load pays for a part of the one before in spite of the pauses, each round has another
   * order, so that none always comes after the same other one.
   */
  private static void inTurn(int round, List<Costs.Work> loads) throws Exception {
    List<Costs.Work> order = new ArrayList<>(loads);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    Collections.rotate(order, round / 2);
    QuietOsds.run(order);
  }

  private void round(int round) throws Exception {
    Path in64k = new Path(directory, "in-64k-" + round);
    Path in1k = new Path(directory, "in-1k-" + round);
    Path in1 = new Path(directory, "in-1-" + round);
    inTurn(
        round,
        List.of(
            () -> radosWrite.add(radosBench.write(LARGE, writeDepth)),
            () -> write64k.add(speed(LARGE, () -> calls.write(in64k, LARGE))),
            () ->
                write1k.add(speed(LARGE, () -> calls.write(in1k, LARGE, StreamCalls.SMALL_CALL)))));
    inTurn(
        round,
        List.of(
            () -> radosRead.add(radosBench.read(readDepth)),
            () -> read.add(speed(LARGE, () -> calls.read(in64k, LARGE)))));
    write1.add(speed(SMALL, () -> calls.write(in1, SMALL, 1)));
    radosBench.cleanUp();
    for (Path file : List.of(in64k, in1k, in1)) {
      fileSystem.delete(file, false);
    }
    QuietOsds.pause();
    QuietOsds.pause();
    progress.done(
        1,
        "round %d, MiB/s: written %.0f in 64-KiB calls, %.0f in 1-KiB calls, %.0f in 1-byte"
            + " calls, rados bench %.0f; read %.0f, rados bench %.0f",
        round,
        write64k.last(),
        write1k.last(),
        write1.last(),
        radosWrite.last(),
        read.last(),
        radosRead.last());
  }

  /** Writes or reads a file. */
  private interface Stream {
    void run() throws IOException;
  }

  /** From create or open to the end of close; MiB/s. */
  private static double speed(long bytes, Stream stream) throws IOException {
    long started = System.nanoTime();
    stream.run();
    return bytes / (double) MIB / ((System.nanoTime() - started) / 1e9);
  }
}
