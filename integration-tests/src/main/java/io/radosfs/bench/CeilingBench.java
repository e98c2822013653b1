// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.ceiling.ByteWork;
import io.radosfs.bench.ceiling.LibradosObjects;
import io.radosfs.bench.ceiling.WindowedLoad;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;

/**
 * What the machine and librados forbid: as many bytes as the part {@code stream} writes and reads,
 * in the same objects and windows, by nothing but librados' C interface. Once one buffer is handed
 * over again and again; once the bytes are copied into it before, or out of it after, as any stream
 * has to. Both are in turns with {@code rados bench}, which copies nothing: it uses the C++
 * interface.
 */
final class CeilingBench implements BenchPart {

  private static final int MIB = 1 << 20;
  private static final int OBJECTS = 128;
  private static final double MIB_OF_ALL = OBJECTS * (RadosBench.OBJECT_BYTES / (double) MIB);

  /** What the stream's callers write and read at a time. */
  private static final int CHUNK = 64 << 10;

  private static final String PROCESSOR = ", processor time of client and OSDs";

  private final java.nio.file.Path cephConf;
  private final PoolName pool;
  private final RadosBench radosBench;
  private final Costs costs;
  private final int writeDepth;
  private final int readDepth;
  private final int rounds;
  private final TimeTold progress;
  private final byte[] content = new byte[CHUNK];
  private final Side written = new Side();
  private final Side read = new Side();

  /** What is measured of one direction: MiB/s, and seconds of processor. */
  private record Side(Samples bench, Line handed, Line copied) {
    Side() {
      this(new Samples(), new Line(), new Line());
    }
  }

  /** What is measured of librados' C interface: MiB/s, and what client and OSDs need for it. */
  private record Line(Samples speed, Samples processor) {
    Line() {
      this(new Samples(), new Samples());
    }
  }

  /** Writes or reads all objects, and returns the seconds that it took. */
  private interface AllObjects {
    double run() throws IOException;
  }

  CeilingBench(
      URI base,
      java.nio.file.Path cephConf,
      Configuration configuration,
      int rounds,
      TimeTold progress) {
    this.cephConf = cephConf;
    this.pool = PoolName.of(base);
    this.radosBench = new RadosBench(new CephCli(cephConf), pool);
    this.costs = new Costs(cephConf, List.of());
    Settings settings = new Settings(configuration, pool.pool());
    this.writeDepth = settings.get(Options.WRITE_WINDOW);
    this.readDepth = settings.get(Options.READ_WINDOW);
    this.rounds = rounds;
    this.progress = progress;
    new SplittableRandom(1).nextBytes(content);
  }

  @Override
  public void run(BenchResults results) throws Exception {
    progress.begin("ceiling", rounds + 1L);
    try (LibradosObjects objects = new LibradosObjects(cephConf, pool)) {
      WindowedLoad load = new WindowedLoad(objects, RadosBench.OBJECT_BYTES, OBJECTS);
      // Outside of what is measured: that the bytes are those written.
      double unused = load.write(writeDepth, ByteWork.copyIn(content));
      double unusedToo = load.read(readDepth, ByteWork.verify(content));
      progress.done(1, "warmed up");
      for (int round = 0; round < rounds; round++) {
        round(load, round);
        results.measured(figures());
      }
      load.remove();
    }
  }

  private void round(WindowedLoad load, int round) throws Exception {
    QuietOsds.run(
        Turns.of(
            List.of(
                () -> written.bench.add(radosBench.write(bytes(), writeDepth)),
                () -> add(written.handed, () -> load.write(writeDepth, ByteWork.NONE)),
                () -> add(written.copied, () -> load.write(writeDepth, ByteWork.copyIn(content)))),
            round));
    byte[] chunk = new byte[CHUNK];
    QuietOsds.run(
        Turns.of(
            List.of(
                () -> read.bench.add(radosBench.read(readDepth)),
                () -> add(read.handed, () -> load.read(readDepth, ByteWork.NONE)),
                () -> add(read.copied, () -> load.read(readDepth, ByteWork.copyOut(chunk)))),
            round));
    radosBench.cleanUp();
    QuietOsds.pause();
    progress.done(
        1,
        "round %d, MiB/s: written %.0f, with a copy %.0f, rados bench %.0f; read %.0f, with a copy"
            + " %.0f, rados bench %.0f",
        round + 1,
        written.handed.speed.last(),
        written.copied.speed.last(),
        written.bench.last(),
        read.handed.speed.last(),
        read.copied.speed.last(),
        read.bench.last());
  }

  private void add(Line line, AllObjects load) throws Exception {
    Cost cost = costs.ofProcessors(() -> line.speed.add(MIB_OF_ALL / load.run()));
    line.processor.add(cost.clientAndOsds());
  }

  private static long bytes() {
    return (long) OBJECTS * RadosBench.OBJECT_BYTES;
  }

  private List<Figure> figures() {
    Figures figures = new Figures("ceiling");
    figures(figures, "write, 4 MiB x " + writeDepth, "before", written);
    figures(figures, "read, 4 MiB x " + readDepth, "after", read);
    return figures.list();
  }

  private static void figures(Figures figures, String what, String when, Side side) {
    String handed = what + ", librados' C interface";
    String copied = handed + " and a copy " + when;
    figures.note(what + ", rados bench", side.bench, "MiB/s");
    figures.note(handed, side.handed.speed, "MiB/s");
    figures.note(copied, side.copied.speed, "MiB/s");
    figures.note(handed + ", to rados bench", side.handed.speed.over(side.bench), "");
    figures.note(copied + ", to rados bench", side.copied.speed.over(side.bench), "");
    figures.note(copied + ", to without it", side.copied.speed.over(side.handed.speed), "");
    figures.note(handed + PROCESSOR, side.handed.processor, "CPU s");
    figures.note(copied + PROCESSOR, side.copied.processor, "CPU s");
  }
}
