// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.ceph.OwnCephCluster;
import io.radosfs.integration.tables.Deep;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One file of one object, three copies on three OSDs, each on a host of its own in CRUSH: which of
 * them serves the readers, and what readers notice when one is killed. Spread is asserted; times
 * are logged, as ratios to those of the primary in the same round.
 */
class ReadFromIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OSDS = 3;
  private static final int READERS = 4;
  private static final int READS = 1_000;
  private static final int BYTES = 64 << 10;
  private static final int OBJECT = 4 << 20;
  private static final List<String> MODES = List.of("primary", "balanced", "nearest");

  /** Longer than it takes all copies to get the primary's lease, which is a matter of seconds. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  /** The OSD that is beside the readers. */
  private static final int NEAR = 1;

  private static OwnCephCluster own;
  private static String pool;
  private static String hot;
  private static int primary;
  private static byte[] content;

  @BeforeAll
  static void startCluster() throws IOException {
    own = OwnCephCluster.start(OSDS);
    CephCluster ceph = own.ceph();
    ceph.ceph("config", "set", "osd", "osd_crush_update_on_start", "false");
    for (int osd = 0; osd < OSDS; osd++) {
      ceph.ceph("osd", "crush", "add-bucket", "h" + osd, "host");
      ceph.ceph("osd", "crush", "move", "h" + osd, "root=default");
      ceph.ceph("osd", "crush", "move", "osd." + osd, "host=h" + osd);
    }
    pool = ceph.createPool();
    ceph.ceph("osd", "pool", "set", pool, "size", Integer.toString(OSDS));
    ceph.ceph("osd", "pool", "set", pool, "min_size", "1");
    own.startDead();
    hot =
        IntStream.range(0, 100)
            .mapToObj(i -> "hot" + i)
            .filter(ReadFromIT::isFar)
            .findFirst()
            .get();
    content = new byte[OBJECT];
    new Random(17).nextBytes(content);
    try (FileSystem fs = open("primary")) {
      try (FSDataOutputStream out = fs.create(new Path("/" + hot))) {
        out.write(content);
      }
    }
  }

  @AfterAll
  static void stopCluster() {
    if (own != null) {
      own.close();
    }
  }

  private static boolean isFar(String object) {
    primary = json("osd", "map", pool, object).path("acting_primary").asInt();
    return primary != NEAR;
  }

  private static FileSystem open(String from) throws IOException {
    Configuration conf = JobFiles.configuration(own.ceph());
    conf.set("fs.rados.read.from", from);
    conf.set("fs.rados.ceph.crush_location", "host=h" + NEAR + " root=default");
    return FileSystem.newInstance(URI.create("rados://" + pool + "/"), conf);
  }

  /**
   * Waits until each OSD answers balanced reads of the file. A copy leaves them to the primary for
   * two reasons, and for some seconds after its placement group has peered both are there. It knows
   * of no later write to its group, by which it learns that all copies have the one before; this
   * writes to all groups. And the primary's lease, within which a copy may serve reads, comes to it
   * with the heartbeats ({@code check_laggy} in the OSD's log).
   */
  private static void awaitBalancedReads() throws Exception {
    try (FileSystem fs = open("balanced")) {
      for (int i = 0; i < 200; i++) {
        fs.create(new Path("/later/" + i)).close();
      }
      long began = System.nanoTime();
      while (!allServe(fs)) {
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LEASE);
      }
    }
  }

  private static boolean allServe(FileSystem fs) throws IOException {
    long[] before = bytesOut(-1);
    for (int reader = 0; reader < READERS; reader++) {
      reader(fs, reader, new long[50], -1);
    }
    long[] after = bytesOut(-1);
    return IntStream.range(0, OSDS).allMatch(osd -> after[osd] - before[osd] > BYTES);
  }

  private static JsonNode json(String... command) {
    String[] all = Arrays.copyOf(command, command.length + 2);
    all[command.length] = "--format";
    all[command.length + 1] = "json";
    try {
      return JSON.readTree(own.ceph().ceph(all));
    } catch (IOException e) {
      throw new IllegalStateException(String.join(" ", command), e);
    }
  }

  /** Bytes that each OSD has sent to its clients' reads; 0 of one that is down. */
  private static long[] bytesOut(int dead) {
    return IntStream.range(0, OSDS)
        .mapToLong(
            osd ->
                osd == dead
                    ? 0
                    : json("tell", "osd." + osd, "perf", "dump", "osd")
                        .path("osd")
                        .path("op_r_out_bytes")
                        .asLong())
        .toArray();
  }

  /** What several readers of the file had: nanoseconds of each read, and all of them together. */
  private record Measured(long[] sorted, long nanos, long[] bytes) {
    double p99() {
      return sorted[sorted.length * 99 / 100] / 1e6;
    }

    double longest() {
      return sorted[sorted.length - 1] / 1e6;
    }

    double rate() {
      return sorted.length * 1e9 / nanos;
    }

    /** Percent of what all OSDs have sent. */
    long share(int osd) {
      return Math.round(100.0 * bytes[osd] / LongStream.of(bytes).sum());
    }

    String shares() {
      return IntStream.range(0, bytes.length).mapToObj(this::share).toList().toString();
    }
  }

  /** Reads here and there, by several threads. */
  private static Measured read(String from, int reads, int killed) throws Exception {
    awaitBalancedReads();
    long[] before = bytesOut(-1);
    long[][] took = new long[READERS][reads / READERS];
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try (FileSystem fs = open(from)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int number = reader;
        tasks.add(() -> reader(fs, number, took[number], killed));
      }
      long began = System.nanoTime();
      for (Future<Void> each : readers.invokeAll(tasks)) {
        each.get();
      }
      long nanos = System.nanoTime() - began;
      long[] bytes = bytesOut(killed);
      Arrays.setAll(bytes, osd -> osd == killed ? 0 : bytes[osd] - before[osd]);
      long[] all = Stream.of(took).flatMapToLong(LongStream::of).sorted().toArray();
      return new Measured(all, nanos, bytes);
    } finally {
      readers.shutdownNow();
    }
  }

  /** The first of the readers kills an OSD when it is half through, if one is to be killed. */
  private static Void reader(FileSystem fs, int number, long[] took, int killed)
      throws IOException {
    Random random = new Random(number);
    byte[] bytes = new byte[BYTES];
    try (FSDataInputStream in = fs.open(new Path("/" + hot))) {
      for (int i = 0; i < took.length; i++) {
        if (number == 0 && killed >= 0 && i == took.length / 2) {
          own.killOsd(killed);
        }
        int at = random.nextInt(OBJECT - BYTES);
        long began = System.nanoTime();
        in.readFully(at, bytes);
        took[i] = System.nanoTime() - began;
        assertThat(Arrays.equals(bytes, 0, BYTES, content, at, at + BYTES))
            .as("bytes from %d", at)
            .isTrue();
      }
    }
    return null;
  }

  private static void log(String what, String from, Measured measured, Measured primaries) {
    System.getLogger(ReadFromIT.class.getName())
        .log(
            System.Logger.Level.WARNING,
            String.format(
                Locale.ROOT,
                "%s, %s: OSDs served %s %%, %.2f of the primary's reads a second, p99 %.2f of its"
                    + " (%.1f ms), longest %.1f ms",
                what,
                from,
                measured.shares(),
                measured.rate() / primaries.rate(),
                measured.p99() / primaries.p99(),
                measured.p99(),
                measured.longest()));
  }

  @Test
  void readsGoToTheCopiesThatWereAskedFor() throws Exception {
    for (int round = Deep.choose(2, 6); round > 0; round--) {
      Measured primaries = null;
      for (String from : MODES) {
        Measured measured = spread(from);
        primaries = primaries == null ? measured : primaries;
        log("all OSDs up", from, measured, primaries);
      }
    }
  }

  /**
   * Reads until the copies that were asked for have served it. On a busy machine the primary's
   * lease may come late while it is measured, and a copy leaves reads to the primary then. What
   * asks the wrong copies never gets there.
   */
  private static Measured spread(String from) throws Exception {
    long began = System.nanoTime();
    while (true) {
      Measured measured = read(from, READS, -1);
      if (isSpread(from, measured)) {
        return measured;
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("%s: OSDs served %s %%; the primary is %s", from, measured.shares(), primary)
          .isLessThan(LEASE);
    }
  }

  private static boolean isSpread(String from, Measured measured) {
    return switch (from) {
      case "primary" -> measured.share(primary) >= 99;
      case "nearest" -> measured.share(NEAR) >= 99;
      // Of a third each, by chance: 1,000 reads.
      default ->
          IntStream.range(0, OSDS)
              .mapToLong(measured::share)
              .allMatch(share -> share > 25 && share < 42);
    };
  }

  /** The one that serves most, or all. */
  @Test
  void readersGoOnWhenAnOsdIsKilled() throws Exception {
    Measured primaries = null;
    for (String from : Deep.choose(List.of("primary", "balanced"), MODES)) {
      int killed = from.equals("nearest") ? NEAR : primary;
      Measured measured = read(from, 4 * READS, killed);
      primaries = primaries == null ? measured : primaries;
      log("osd." + killed + " killed", from, measured, primaries);
      own.startDead();
      Measured unused = spread(from);
    }
  }
}
