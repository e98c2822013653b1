// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.spark.ProtocolJob;
import io.radosfs.integration.spark.SparkOnCeph;
import io.radosfs.integration.tables.Deep;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs with nothing in them, or with much, and names with anything in them. */
class EdgeJobsIT {

  private static final byte[] CONTENT = "content".getBytes(UTF_8);

  /** More than one page of everything that is read in pages. */
  private static final int MANY = Deep.choose(2_500, 10_000);

  private static final int WRITERS = 16;

  private static SparkOnCeph on;
  private static PoolState pool;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    pool = new PoolState(on);
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void aJobWithoutTasks() throws Exception {
    new ProtocolJob(on, "empty").commit(List.of());
    assertThat(on.files("empty")).containsExactly("empty/_SUCCESS");
    pool.assertClean();
  }

  @Test
  void aTaskWithoutFiles() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "empty-task");
    TaskCommitMessage nothing = job.attempt(0, 0).commit();
    TaskCommitMessage one = job.attempt(1, 0).file("", "-a", CONTENT).commit();
    job.commit(List.of(nothing, one));
    assertThat(on.dataFiles("empty-task")).hasSize(1);
    pool.assertClean();
  }

  @Test
  void aFileWithoutBytes() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "empty-file");
    job.commit(List.of(job.attempt(0, 0).file("", "-a", new byte[0]).commit()));
    List<FileStatus> files = on.dataFiles("empty-file");
    assertThat(files).hasSize(1);
    assertThat(files.get(0).getLen()).isZero();
    try (var in = on.fileSystem().open(files.get(0).getPath())) {
      assertThat(in.read()).isEqualTo(-1);
    }
    pool.assertClean();
  }

  @Test
  void aTaskWithManyFiles() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "many");
    ProtocolJob.Attempt attempt = job.attempt(0, 0);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> written = new ArrayList<>();
      for (int file = 0; file < MANY; file++) {
        String suffix = "-" + file;
        written.add(threads.submit(() -> attempt.file("", suffix, CONTENT)));
      }
      for (Future<?> each : written) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(on.files("many")).isEmpty();
    job.commit(List.of(attempt.commit()));
    List<FileStatus> files = on.dataFiles("many");
    assertThat(files).hasSize(MANY);
    assertThat(files).allMatch(file -> file.getLen() == CONTENT.length);
    pool.assertClean();
    assertThat(on.fileSystem().delete(on.path("many"), true)).isTrue();
    pool.assertClean();
  }

  /** Names of one component each; a directory's and a file's. */
  static List<String> names() {
    return List.of(
        "with space",
        " leading and trailing ",
        "50%",
        "a%2Fb",
        "%3A",
        "a=b=c",
        "12:30:00",
        "time=12%3A30",
        "größe",
        "日本語",
        "u\u0308",
        "🦑",
        "a+b&c?d#e",
        "[x]{y}*",
        "back\\slash",
        "quote'\"",
        "tab\there",
        "~tilde",
        ".hidden",
        "x".repeat(255),
        "ü".repeat(127) + "x",
        "日".repeat(85));
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesMayHoldAnything(String name) throws Exception {
    assertThat(name.getBytes(UTF_8).length).isLessThanOrEqualTo(255);
    String to = "names" + names().indexOf(name);
    Path directory = on.path(to + "/" + name);
    ProtocolJob job = new ProtocolJob(on, to);
    TaskCommitMessage committed = job.attempt(0, 0).file(name, "-a", CONTENT).commit();
    job.attempt(1, 0).file(name, "-b", CONTENT).abort();
    job.commit(List.of(committed));

    assertThat(on.fileSystem().listStatus(on.path(to)))
        .extracting(status -> status.getPath().getName())
        .containsExactlyInAnyOrder(name, "_SUCCESS");
    FileStatus[] files = on.fileSystem().listStatus(directory);
    assertThat(files).hasSize(1);
    try (var in = on.fileSystem().open(files[0].getPath())) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
    }
    assertThat(on.objects().firstStripesBelow(to)).hasSize(2);
    pool.assertClean();
  }
}
