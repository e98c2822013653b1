// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A main class of this class path that runs in a JVM of its own. */
public final class JavaProgram {

  private JavaProgram() {}

  /**
   * What starts it, with what java needs to run Spark and Hadoop; but not with this process's heap
   * and agents.
   *
   * @param options for java
   */
  public static ProcessBuilder of(Class<?> program, List<String> options, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder;
  }

  /**
   * Starts it, and waits for its end. Its errors are this process's.
   *
   * @param limit after which it is killed
   * @param told is given each line that it prints
   * @return its status: 137 where it was killed
   */
  public static int run(ProcessBuilder program, Duration limit, Consumer<String> told)
      throws IOException, InterruptedException {
    Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    CompletableFuture<Void> kill =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
    try (BufferedReader lines = process.inputReader()) {
      lines.lines().forEach(told);
      return process.waitFor();
    } finally {
      kill.cancel(false);
      process.destroyForcibly();
    }
  }

  /**
   * Ends this process when the one that started it ends, however that does. Nothing may be said to
   * it on its standard input.
   */
  public static void endWithStarter() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Nothing is said there: it ends with the process at its other end.
                }
              } catch (IOException e) {
                // So has it.
              }
              System.exit(1);
            },
            "end-with-starter");
    watch.setDaemon(true);
    watch.start();
  }
}
