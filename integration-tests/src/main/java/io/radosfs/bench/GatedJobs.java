// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/**
 * Jobs whose tasks stand still or fail where they are meant to. A gate is a folder: a task that
 * waits makes a file in it, and goes on once the file {@code open} is there; so it works across
 * processes.
 */
final class GatedJobs {

  static final int ROWS = 200;
  static final String FAILURE = "this task fails as it is meant to";

  private static final String OPEN = "open";
  private static final long MILLIS = 20;
  private static final long MILLIS_AT_MOST = 180_000;

  private GatedJobs() {}

  /** The last of the tasks fails at its end, when those before it have begun. */
  static Dataset<Long> failing(SparkSession spark, int tasks) {
    return eachTask(
        spark,
        tasks,
        task -> {
          if (task == tasks - 1) {
            throw new IllegalStateException(FAILURE);
          }
        });
  }

  /** Two tasks; the second waits at its end. */
  static Dataset<Long> waiting(SparkSession spark, Path gate) {
    return waiting(spark, gate, 2, 1);
  }

  /** Tasks that wait at their end, from a certain one on. */
  static Dataset<Long> waiting(SparkSession spark, Path gate, int tasks, int from) {
    String folder = gate.toString();
    return eachTask(
        spark,
        tasks,
        task -> {
          if (task >= from) {
            await(Path.of(folder), task);
          }
        });
  }

  /** At the end of a task. */
  private interface AtEnd extends java.io.Serializable {
    void run(int task);
  }

  private static Dataset<Long> eachTask(SparkSession spark, int tasks, AtEnd atEnd) {
    MapPartitionsFunction<Long, Long> rows =
        ids ->
            new Iterator<>() {
              private boolean ended;

              @Override
              public boolean hasNext() {
                boolean more = ids.hasNext();
                if (!more && !ended) {
                  ended = true;
                  atEnd.run(TaskContext.getPartitionId());
                }
                return more;
              }

              @Override
              public Long next() {
                return ids.next();
              }
            };
    return spark
        .range(0, ROWS, 1, tasks)
        .mapPartitions(rows, Encoders.LONG())
        .withColumnRenamed("value", "id")
        .as(Encoders.LONG());
  }

  private static void await(Path gate, int task) {
    try {
      Files.writeString(gate.resolve("task-" + task), "");
      until(() -> Files.exists(gate.resolve(OPEN)), "the gate did not open");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Until so many tasks wait, while the job runs. */
  static void awaitWaiting(Path gate, int tasks, BooleanSupplier running) throws IOException {
    until(
        () -> {
          if (!running.getAsBoolean()) {
            throw new IllegalStateException("the job that waits has ended");
          }
          return waitingAt(gate) >= tasks;
        },
        "no task came to the gate");
  }

  private static long waitingAt(Path gate) {
    try (Stream<Path> files = Files.list(gate)) {
      return files.filter(file -> file.getFileName().toString().startsWith("task-")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void until(BooleanSupplier condition, String orElse) throws IOException {
    for (long waited = 0; !condition.getAsBoolean(); waited += MILLIS) {
      if (waited > MILLIS_AT_MOST) {
        throw new IOException(orElse);
      }
      try {
        Thread.sleep(MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  static void open(Path gate) throws IOException {
    Files.writeString(gate.resolve(OPEN), "");
  }

  static void remove(Path gate) throws IOException {
    try (Stream<Path> files = Files.list(gate)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(gate);
  }
}
