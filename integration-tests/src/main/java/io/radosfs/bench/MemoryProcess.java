// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySetting;
import io.radosfs.bench.memory.MemoryTask;
import io.radosfs.workbench.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs {@link MemoryProgram} in a JVM that has the memory of a setting. */
final class MemoryProcess {

  /** Much longer than any takes: where memory is short, a JVM may stand still. */
  private static final Duration LIMIT = Duration.ofHours(2);

  private final Consumer<String> told;

  /**
   * How a process ended.
   *
   * @param run empty if it did not measure all
   * @param ended what happened to it, in words
   */
  record Outcome(Optional<MemoryRun> run, String ended) {}

  /**
   * Processes.
   *
   * @param told is given each line that one prints: one each time that a query is done
   */
  MemoryProcess(Consumer<String> told) {
    this.told = told;
  }

  /** Runs one to its end. Its errors are this process's. */
  Outcome run(MemorySetting setting, MemoryTask task) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("memory");
    try {
      task.write(folder);
      ProcessBuilder program =
          JavaProgram.of(MemoryProgram.class, setting.options(), folder.toString());
      int status = JavaProgram.run(program, LIMIT, told);
      return new Outcome(MemoryRun.read(folder), ended(status));
    } finally {
      remove(folder);
    }
  }

  /** Spark ends a process with 52 in which a task has no memory left. */
  private static String ended(int status) {
    return switch (status) {
      case 0 -> "ended well";
      case 52 -> "out of memory: Spark ended the process with status 52";
      case 137 ->
          "killed: by the kernel, which had no memory left, or after " + LIMIT.toHours() + " h";
      default -> "ended with status " + status + ": see above";
    };
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
