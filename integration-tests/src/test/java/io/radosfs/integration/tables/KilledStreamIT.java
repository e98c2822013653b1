// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.StreamApp;
import io.radosfs.integration.spark.SparkOnCeph;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose process is killed by SIGKILL, again and again, has each row exactly once. */
class KilledStreamIT {

  private static final int KILLS = Deep.choose(2, 12);

  /** Batches that are to be done between two kills. */
  private static final int BATCHES = 2;

  private static final int FILES = (KILLS + 2) * (BATCHES + 1);
  private static final int ROWS = 40;

  /** No run takes nearly as long; else the test would wait for ever for a batch. */
  private static final long TIMEOUT_MILLIS = 120_000;

  /** Spark's log of the files that the source has found, one a batch. */
  private static final String SOURCE = "checkpoint/sources/0";

  /** Spark's log of the batches that have begun. */
  private static final String OFFSETS = "checkpoint/offsets";

  private static SparkOnCeph on;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void eachRowIsThereOnce(@TempDir Path folder) throws Exception {
    for (int file = 0; file < FILES; file++) {
      addFile(file);
    }
    long seed = System.nanoTime();
    System.getLogger(KilledStreamIT.class.getName())
        .log(System.Logger.Level.WARNING, "seed of the moments of the kills: {0}", seed + "");
    Random random = new Random(seed);

    int batches = 0;
    int ofTwo = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      try (Program stream = start(folder)) {
        batches += BATCHES;
        awaitOffsets(stream, batches);
        // In the midst of a batch: it takes longer than this.
        Thread.sleep(random.nextInt(400));
        assertThat(stream.isAlive()).as("not done before it is killed").isTrue();
        stream.kill();
      }
      // A kill after the source's log has a file and before the log of offsets has its batch makes
      // the next batch one of two files.
      int files = batchesIn(SOURCE).size();
      batches = started();
      ofTwo = files - batches;
      List<Long> ids = ids();
      assertThat(ids.size() % ROWS).as("rows of whole batches").isZero();
      assertThat(ids).isEqualTo(numbers(ids.size()));
    }
    assertThat(batches).as("else nothing is left to do").isLessThan(FILES);

    try (Program stream = start(folder)) {
      stream.end();
    }
    assertThat(ids()).isEqualTo(numbers(FILES * ROWS));
    assertThat(batchesIn(SOURCE)).isEqualTo(numbers(FILES));
    assertThat(batchesIn(OFFSETS)).isEqualTo(numbers(FILES - ofTwo));
  }

  /** With rows of its own, and again those of the file before it. */
  private static void addFile(int file) {
    on.spark
        .range(Math.max(0, file - 1) * (long) ROWS, (file + 1) * (long) ROWS, 1, 1)
        .write()
        .mode("append")
        .parquet(on.uri("in"));
  }

  private static Program start(Path folder) throws IOException {
    return Program.start(
        folder,
        StreamApp.class,
        Map.of("spark.sql.shuffle.partitions", "2"),
        on.ceph.conf().toString(),
        on.uri("in"),
        on.uri("out"),
        on.uri("checkpoint"));
  }

  private static void awaitOffsets(Program stream, int batches) throws Exception {
    long deadline = System.currentTimeMillis() + TIMEOUT_MILLIS;
    while (started() <= batches) {
      if (!stream.isAlive() || System.currentTimeMillis() > deadline) {
        stream.kill();
        stream.answer(); // fails, and shows its log
      }
      Thread.sleep(10);
    }
  }

  /** Number of batches that have begun. */
  private static int started() throws IOException {
    return batchesIn(OFFSETS).size();
  }

  /** The numbers of the batches that a log of Spark's has, in ascending order. */
  private static List<Long> batchesIn(String log) throws IOException {
    try {
      return Arrays.stream(on.fileSystem().listStatus(on.path(log)))
          .map(file -> file.getPath().getName())
          .filter(name -> !name.startsWith("."))
          .map(name -> Long.valueOf(name.replace(".compact", "")))
          .sorted()
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** What a reader of the sink sees. */
  private static List<Long> ids() {
    return on.spark
        .read()
        .schema("id BIGINT")
        .parquet(on.uri("out"))
        .orderBy("id")
        .as(Encoders.LONG())
        .collectAsList();
  }

  private static List<Long> numbers(int to) {
    return LongStream.range(0, to).boxed().toList();
  }
}
