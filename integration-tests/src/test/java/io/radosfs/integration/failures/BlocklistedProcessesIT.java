// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.BlocklistedApp;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.Told;
import io.radosfs.integration.spark.SparkOnCeph;
import io.radosfs.integration.tables.Deep;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors and driver are processes of their own, and are put on the cluster's blocklist while
 * they work. None of them is started anew: executors that are blocklisted fail the tasks that they
 * have, and run them again; a driver's job may fail, and its next one works.
 */
@EnabledIfSystemProperty(
    named = "radosfs.deep",
    matches = "true",
    disabledReason = "takes minutes: BlocklistedIT has the same with all of Spark in one process")
class BlocklistedProcessesIT {

  /** Milliseconds after a job's begin. */
  private static final List<Integer> MOMENTS = Deep.choose(List.of(700), List.of(100, 700, 1300));

  private static final int FILES = 4;
  private static final int ROWS_OF_FILE = 60;
  private static final long TIMEOUT_SECONDS = 120;

  @TempDir static Path folder;

  private static SparkProcesses processes;
  private static SparkOnCeph on;
  private static SparkCluster cluster;
  private static Program driver;
  private static Set<Long> executors;
  private static Path connections;

  /** Names of the records of connections that were blocklisted. */
  private static final Set<String> GONE = new HashSet<>();

  @BeforeAll
  static void start() throws Exception {
    connections = Files.createDirectories(folder.resolve("connections"));
    processes =
        SparkProcesses.start(
            folder,
            BlocklistedApp.class,
            SparkSessions.PROTOCOL,
            RecordedConnections.class,
            BlocklistedProcessesIT::set);
    on = processes.on();
    cluster = processes.cluster();
    driver = processes.driver();
    executors = cluster.awaitExecutors();
  }

  private static void set(Map<String, String> settings) {
    settings.put(RecordedConnections.FOLDER, connections.toString());
    settings.merge(
        "spark.executor.extraJavaOptions",
        "-D" + RecordedConnections.FOLDER + "=" + connections,
        (one, other) -> one + " " + other);
  }

  /**
   * All of them are connected, and none is on the list: a process that was idle when it was
   * blocklisted learns of it by what it does next, which fails.
   */
  @BeforeEach
  void awaitConnections() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    Set<Long> processes = new HashSet<>(executors);
    processes.add(driver.pid());
    String answer = append("warm");
    while (!answer.equals(Told.DONE) || !areConnected(processes)) {
      assertThat(System.nanoTime()).as("all are connected: %s", answer).isLessThan(deadline);
      answer = append("warm");
    }
  }

  private static boolean areConnected(Set<Long> processes) throws IOException {
    for (long process : processes) {
      if (connectionsOf(process).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  @AfterAll
  static void stop() {
    if (processes != null) {
      processes.close();
    }
  }

  @AfterEach
  void nothingIsLeftAndNobodyWasStartedAnew() throws Exception {
    assertThat(cluster.executors()).isEqualTo(executors);
    assertThat(driver.isAlive()).isTrue();
    new PoolState(on).assertCleanAfterCollection();
  }

  @Test
  void executorsGoOnWithABatch() throws Exception {
    for (int millis : MOMENTS) {
      awaitConnections();
      String table = "executors" + millis;
      driver.tell(BlocklistedApp.APPEND + " " + on.uri(table));
      Thread.sleep(millis);
      blocklist(executors);
      assertThat(driver.answer()).isEqualTo(Told.DONE);
      assertThat(ids(table)).isEqualTo(numbers(BlocklistedApp.ROWS));
    }
  }

  @Test
  void aDriversNextBatchWorks() throws Exception {
    for (int millis : MOMENTS) {
      awaitConnections();
      String table = "driver" + millis;
      driver.tell(BlocklistedApp.APPEND + " " + on.uri(table));
      Thread.sleep(millis);
      blocklist(Set.of(driver.pid()));
      String answer = driver.answer();
      System.getLogger(BlocklistedProcessesIT.class.getName())
          .log(System.Logger.Level.WARNING, "blocklisted after {0} ms: {1}", millis, answer);
      if (!answer.equals(Told.DONE)) {
        assertThat(answer).contains("blocklist");
        assertThat(on.dataFiles(table)).isEmpty();
        assertThat(append(table)).isEqualTo(Told.DONE);
      }
      assertThat(ids(table)).isEqualTo(numbers(BlocklistedApp.ROWS));
    }
  }

  @Test
  void executorsGoOnWithAStream() throws Exception {
    String in = source("in-executors");
    tellStream(in, "out-executors");
    Thread.sleep(1500);
    blocklist(executors);
    assertThat(driver.answer()).isEqualTo(Told.DONE);
    assertThat(ids("out-executors")).isEqualTo(numbers(FILES * ROWS_OF_FILE));
  }

  @Test
  void aDriversStreamGoesOnOnceItIsStartedAgain() throws Exception {
    String in = source("in-driver");
    for (int millis : MOMENTS) {
      awaitConnections();
      tellStream(in, "out-driver");
      Thread.sleep(2L * millis);
      blocklist(Set.of(driver.pid()));
      String answer = driver.answer();
      if (!answer.equals(Told.DONE)) {
        assertThat(answer).contains("blocklist");
      }
    }
    awaitConnections();
    tellStream(in, "out-driver");
    assertThat(driver.answer()).isEqualTo(Told.DONE);
    assertThat(ids("out-driver")).isEqualTo(numbers(FILES * ROWS_OF_FILE));
  }

  private static String append(String table) throws IOException {
    driver.tell(BlocklistedApp.APPEND + " " + on.uri(table));
    return driver.answer();
  }

  private static String source(String name) {
    for (int file = 0; file < FILES; file++) {
      on.spark
          .range(file * (long) ROWS_OF_FILE, (file + 1) * (long) ROWS_OF_FILE, 1, 1)
          .write()
          .mode("append")
          .parquet(on.uri(name));
    }
    return on.uri(name);
  }

  private static void tellStream(String in, String out) throws IOException {
    driver.tell(
        String.join(" ", BlocklistedApp.STREAM, in, on.uri(out), on.uri(out + "-checkpoint")));
  }

  /** Blocklists what each of the processes is connected by. */
  private static void blocklist(Set<Long> processes) throws Exception {
    for (long process : processes) {
      List<String> names = connectionsOf(process);
      assertThat(names).as("connections of %s", process).isNotEmpty();
      for (String name : names) {
        GONE.add(name);
        on.ceph.ceph("osd", "blocklist", "add", Files.readString(connections.resolve(name), UTF_8));
      }
    }
  }

  private static List<String> connectionsOf(long process) throws IOException {
    try (Stream<Path> records = Files.list(connections)) {
      return records
          .map(record -> record.getFileName().toString())
          .filter(name -> name.startsWith(process + "-") && !GONE.contains(name))
          .toList();
    }
  }

  private static List<Long> ids(String table) {
    return on.spark
        .read()
        .schema("id BIGINT")
        .parquet(on.uri(table))
        .orderBy("id")
        .as(Encoders.LONG())
        .collectAsList();
  }

  private static List<Long> numbers(long to) {
    return LongStream.range(0, to).boxed().toList();
  }
}
