// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.ceiling.ByteWork;
import io.radosfs.bench.ceiling.LibradosConnection;
import io.radosfs.bench.ceiling.LibradosKeys;
import io.radosfs.bench.ceiling.LibradosObjects;
import io.radosfs.bench.ceiling.LookUpLoad;
import io.radosfs.bench.ceiling.WindowedLoad;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.streams.StreamCalls;
import io.radosfs.bench.works.Turns;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What the machine and librados forbid: as many bytes as the part {@code stream} writes and reads,
 * in the same objects and windows, by nothing but librados' C interface. Once one buffer is handed
 * over again and again; once the bytes are copied into it before, or out of it after, as any stream
 * has to. Both are in turns with {@code rados bench}, which copies nothing, as it uses the C++
 * interface, with a stream of radosfs, and with one of Hadoop's local file system: what a job on
 * RADOS needs of the processors above one on the local disk, whatever client it has.
 *
 * <p>Then look-ups: the status of a file by radosfs, one read of a directory's index, in turns with
 * a read of the same keys by nothing but librados' C interface, which waits in the calling thread.
 */
final class CeilingBench implements BenchPart {

  private static final int MIB = 1 << 20;
  private static final int OBJECTS = 128;
  private static final double MIB_OF_ALL = OBJECTS * (RadosBench.OBJECT_BYTES / (double) MIB);

  private static final String PROCESSOR = ", processor time of client and OSDs";

  /** Of look-ups: files, each in a directory of its own. */
  private static final int FILES = 500;

  private static final int THREADS = 2;
  private static final LookUpLoad LOOK_UPS = new LookUpLoad(FILES, 5_000);
  private static final String FILE = "f";
  private static final double MICROSECONDS = 1e6;

  private final java.nio.file.Path cephConf;
  private final PoolName pool;
  private final Path directory;
  private final Configuration configuration;
  private final RadosBench radosBench;
  private final StreamCalls local;
  private final Path localFile;
  private final Costs costs;
  private final int writeDepth;
  private final int readDepth;
  private final int rounds;
  private final TimeTold progress;
  private final byte[] content = new byte[StreamCalls.CALL];
  private final Side written = new Side();
  private final Side read = new Side();
  private final Waits ofStatus = new Waits();
  private final Waits ofKeys = new Waits();

  /** What is measured of one direction: MiB/s, and seconds of processor. */
  private record Side(Samples bench, Line handed, Line copied, Line streamed, Line local) {
    Side() {
      this(new Samples(), new Line(), new Line(), new Line(), new Line());
    }
  }

  /** MiB/s, and what client and OSDs need for them. */
  private record Line(Samples speed, Samples processor) {
    Line() {
      this(new Samples(), new Samples());
    }
  }

  /** What a look-up takes, in microseconds: how long its thread waits, and the processors. */
  private record Waits(Samples waited, Samples processor) {
    Waits() {
      this(new Samples(), new Samples());
    }
  }

  /** Writes or reads all objects, and returns the seconds that it took. */
  private interface AllObjects {
    double run() throws IOException;
  }

  CeilingBench(
      URI base,
      java.nio.file.Path localDirectory,
      java.nio.file.Path cephConf,
      Configuration configuration,
      int rounds,
      TimeTold progress)
      throws IOException {
    this.cephConf = cephConf;
    this.pool = PoolName.of(base);
    this.directory = new Path(new Path(base), "ceiling");
    this.configuration = configuration;
    this.radosBench = new RadosBench(new CephCli(cephConf), pool);
    this.local = new StreamCalls(FileSystem.getLocal(configuration));
    this.localFile = new Path(new Path(localDirectory.toUri()), "ceiling");
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
    progress.begin("ceiling", 2L * (rounds + 1));
    try (FileSystem fileSystem = FileSystem.newInstance(directory.toUri(), configuration)) {
      try {
        speeds(fileSystem, results);
        lookUps(fileSystem, results);
      } finally {
        boolean unused = fileSystem.delete(directory, true);
        boolean unusedToo = FileSystem.getLocal(configuration).delete(localFile, false);
      }
    }
  }

  private void speeds(FileSystem fileSystem, BenchResults results) throws Exception {
    StreamCalls stream = new StreamCalls(fileSystem);
    stream.warmUp(new Path(directory, "small-stripes"));
    try (LibradosObjects objects = new LibradosObjects(cephConf, pool)) {
      WindowedLoad load = new WindowedLoad(objects, RadosBench.OBJECT_BYTES, OBJECTS);
      // Outside of what is measured: that the bytes are those written.
      local.write(localFile, bytes());
      local.verify(localFile, bytes());
      double unused = load.write(writeDepth, ByteWork.copyIn(content));
      double unusedToo = load.read(readDepth, ByteWork.verify(content));
      progress.done(1, "warmed up");
      for (int round = 0; round < rounds; round++) {
        round(load, stream, round);
        results.measured(figures());
      }
      load.remove();
    }
  }

  private void lookUps(FileSystem fileSystem, BenchResults results) throws Exception {
    List<Path> files = new ArrayList<>();
    List<String> indexes = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(directory, i + "/" + FILE);
      fileSystem.create(file).close();
      files.add(file);
      indexes.add(ObjectNames.index(FsPath.parse(file.getParent().toUri().getPath())));
    }
    LookUpLoad.LookUp status = file -> fileSystem.getFileStatus(files.get(file));
    List<String> keys = List.of(IndexKeys.HEAD, IndexKeys.entry(FILE), IndexKeys.intent(FILE));
    List<LibradosKeys> readers = new ArrayList<>();
    try (LibradosConnection connection = new LibradosConnection(cephConf, pool)) {
      List<LookUpLoad.LookUp> statuses = new ArrayList<>();
      List<LookUpLoad.LookUp> reads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        LibradosKeys reader = new LibradosKeys(connection, keys);
        readers.add(reader);
        statuses.add(status);
        reads.add(file -> requireTwo(indexes.get(file), reader.read(indexes.get(file))));
      }
      double unused = LOOK_UPS.run(statuses);
      double unusedToo = LOOK_UPS.run(reads);
      progress.done(1, "looked up");
      for (int round = 0; round < rounds; round++) {
        QuietOsds.run(
            Turns.of(
                List.<Costs.Work>of(() -> add(ofStatus, statuses), () -> add(ofKeys, reads)),
                round));
        results.measured(figures());
        progress.done(
            1,
            "round %d: a status takes %.0f µs, by librados' C interface %.0f µs",
            round + 1,
            ofStatus.waited.last(),
            ofKeys.waited.last());
      }
    } finally {
      readers.forEach(LibradosKeys::close);
    }
  }

  /** A head and an entry are there, and no intent. */
  private static void requireTwo(String index, int found) throws IOException {
    if (found != 2) {
      throw new IOException(index + " has " + found + " of the keys of a status, not 2");
    }
  }

  private void add(Waits waits, List<LookUpLoad.LookUp> lookUps) throws Exception {
    Cost cost =
        costs.ofProcessors(
            () -> waits.waited.add(LOOK_UPS.run(lookUps) / LOOK_UPS.each() * MICROSECONDS));
    waits.processor.add(cost.clientAndOsds() / LOOK_UPS.each() / THREADS * MICROSECONDS);
  }

  private void round(WindowedLoad load, StreamCalls stream, int round) throws Exception {
    Path file = new Path(directory, "stream");
    QuietOsds.run(
        Turns.of(
            List.of(
                () -> written.bench.add(radosBench.write(bytes(), writeDepth)),
                () -> add(written.handed, () -> load.write(writeDepth, ByteWork.NONE)),
                () -> add(written.copied, () -> load.write(writeDepth, ByteWork.copyIn(content))),
                () -> timed(written.streamed, () -> stream.write(file, bytes())),
                () -> timed(written.local, () -> local.write(localFile, bytes()))),
            round));
    byte[] chunk = new byte[StreamCalls.CALL];
    QuietOsds.run(
        Turns.of(
            List.of(
                () -> read.bench.add(radosBench.read(readDepth)),
                () -> add(read.handed, () -> load.read(readDepth, ByteWork.NONE)),
                () -> add(read.copied, () -> load.read(readDepth, ByteWork.copyOut(chunk))),
                () -> timed(read.streamed, () -> stream.read(file, bytes())),
                () -> timed(read.local, () -> local.read(localFile, bytes()))),
            round));
    radosBench.cleanUp();
    QuietOsds.pause();
    progress.done(
        1,
        "round %d, MiB/s: written %.0f, with a copy %.0f, by a stream %.0f, rados bench %.0f; read"
            + " %.0f, with a copy %.0f, by a stream %.0f, rados bench %.0f",
        round + 1,
        written.handed.speed.last(),
        written.copied.speed.last(),
        written.streamed.speed.last(),
        written.bench.last(),
        read.handed.speed.last(),
        read.copied.speed.last(),
        read.streamed.speed.last(),
        read.bench.last());
  }

  private void add(Line line, AllObjects load) throws Exception {
    Cost cost = costs.ofProcessors(() -> line.speed.add(MIB_OF_ALL / load.run()));
    line.processor.add(cost.clientAndOsds());
  }

  private void timed(Line line, Costs.Work work) throws Exception {
    Cost cost = costs.ofProcessors(work);
    line.speed.add(MIB_OF_ALL / cost.seconds());
    line.processor.add(cost.clientAndOsds());
  }

  private static long bytes() {
    return (long) OBJECTS * RadosBench.OBJECT_BYTES;
  }

  private List<Figure> figures() {
    Figures figures = new Figures("ceiling");
    figures(figures, "write", writeDepth, "before", written);
    figures(figures, "read", readDepth, "after", read);
    if (!ofKeys.waited.isEmpty()) {
      String keys = "look-up, librados' C interface";
      String unit = "microseconds";
      figures.note("look-up, status of a file", ofStatus.waited, unit);
      figures.note(keys, ofKeys.waited, unit);
      figures.note(
          "look-up, status of a file, to librados' C interface",
          ofStatus.waited.over(ofKeys.waited),
          "");
      figures.note("look-up, status of a file" + PROCESSOR, ofStatus.processor, unit);
      figures.note(keys + PROCESSOR, ofKeys.processor, unit);
    }
    return figures.list();
  }

  private static void figures(
      Figures figures, String direction, int depth, String when, Side side) {
    String what = direction + ", 4 MiB x " + depth;
    String handed = what + ", librados' C interface";
    String copied = handed + " and a copy " + when;
    String streamed = what + ", a stream of radosfs";
    String local = direction + ", a stream of Hadoop's local file system";
    figures.note(what + ", rados bench", side.bench, "MiB/s");
    figures.note(handed, side.handed.speed, "MiB/s");
    figures.note(copied, side.copied.speed, "MiB/s");
    figures.note(streamed, side.streamed.speed, "MiB/s");
    figures.note(handed + ", to rados bench", side.handed.speed.over(side.bench), "");
    figures.note(copied + ", to rados bench", side.copied.speed.over(side.bench), "");
    figures.note(copied + ", to without it", side.copied.speed.over(side.handed.speed), "");
    figures.note(streamed + ", to rados bench", side.streamed.speed.over(side.bench), "");
    figures.note(
        streamed + ", to librados' C interface and a copy " + when,
        side.streamed.speed.over(side.copied.speed),
        "");
    figures.note(handed + PROCESSOR, side.handed.processor, "CPU s");
    figures.note(copied + PROCESSOR, side.copied.processor, "CPU s");
    figures.note(streamed + PROCESSOR, side.streamed.processor, "CPU s");
    figures.note(local, side.local.speed, "MiB/s");
    figures.note(local + PROCESSOR, side.local.processor, "CPU s");
    figures.note(
        copied + PROCESSOR + ", above Hadoop's local file system",
        side.copied.processor.minus(side.local.processor),
        "CPU s");
  }
}
