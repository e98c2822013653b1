// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.workbench.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Executors, each {@link ExecutorProgram} in a process of its own, which end with this. */
public final class ExecutorProcesses implements Workers, AutoCloseable {

  private static final int HEAP_MIB = 512;
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Executor(Process process, Writer orders, BufferedReader answers, Path log) {}

  private final Path logs = Files.createTempDirectory("executors");
  private final List<Executor> executors = new ArrayList<>();

  /** Starts so many. */
  public ExecutorProcesses(int count, Path cephConf) throws IOException {
    boolean started = false;
    try {
      for (int i = 0; i < count; i++) {
        executors.add(start(cephConf, logs.resolve("executor-" + i + ".log")));
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private static Executor start(Path cephConf, Path log) throws IOException {
    // Several of them share the machine with the cluster.
    List<String> options = List.of("-XX:+UseSerialGC", "-Xmx" + HEAP_MIB + "m");
    Process process =
        JavaProgram.of(ExecutorProgram.class, options, cephConf.toAbsolutePath().toString())
            .redirectError(log.toFile())
            .start();
    return new Executor(
        process,
        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8),
        process.inputReader(StandardCharsets.UTF_8),
        log);
  }

  /** Their process ids. */
  public List<Long> pids() {
    return executors.stream().map(executor -> executor.process().pid()).toList();
  }

  @Override
  public List<WorkerAnswer> obey(List<? extends Order> orders) throws IOException {
    if (orders.size() > executors.size()) {
      throw new IllegalArgumentException(
          orders.size() + " orders for " + executors.size() + " executors");
    }
    for (int i = 0; i < orders.size(); i++) {
      Writer to = executors.get(i).orders();
      // As an Order: its type is told only then.
      to.write(JSON.writerFor(Order.class).writeValueAsString(orders.get(i)) + "\n");
      to.flush();
    }
    List<WorkerAnswer> answers = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      answers.add(answer(executors.get(i)));
    }
    return answers;
  }

  private static WorkerAnswer answer(Executor executor) throws IOException {
    BufferedReader lines = executor.answers();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(ExecutorProgram.ANSWER)) {
        return JSON.readValue(line.substring(ExecutorProgram.ANSWER.length()), WorkerAnswer.class);
      }
    }
    throw new IOException(
        "an executor ended without an answer: "
            + Files.readString(executor.log(), StandardCharsets.UTF_8).strip());
  }

  /** They have nothing that would have to be ended with care. */
  @Override
  public void close() throws IOException {
    for (Executor executor : executors) {
      executor.process().destroyForcibly().onExit().join();
      Files.deleteIfExists(executor.log());
    }
    Files.deleteIfExists(logs);
  }
}
