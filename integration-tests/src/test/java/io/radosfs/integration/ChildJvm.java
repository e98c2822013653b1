// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of tests that need a process of their own: a JVM with the test's class path. */
public final class ChildJvm {

  private static final int SHOWN = 4000;

  private ChildJvm() {}

  /** Its output and its errors are one stream. */
  public static ProcessBuilder of(Class<?> program, String... arguments) {
    return of(List.of("-XX:TieredStopAtLevel=1"), program, arguments);
  }

  private static ProcessBuilder of(List<String> options, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /**
   * Runs it to its end.
   *
   * @return what it printed
   * @throws AssertionError with the end of what it printed, when it fails
   */
  static String run(Class<?> program, String... arguments) throws IOException {
    return run(of(program, arguments), program);
  }

  /**
   * The same in a heap of so many mebibytes, which a collector fills whose work is the same each
   * time.
   */
  static String runInHeap(int mebibytes, Class<?> program, String... arguments) throws IOException {
    List<String> options =
        List.of("-Xmx" + mebibytes + "m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    return run(of(options, program, arguments), program);
  }

  private static String run(ProcessBuilder command, Class<?> program) throws IOException {
    Process process = command.start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        String end = output.substring(Math.max(0, output.length() - SHOWN));
        throw new AssertionError(program.getName() + " ended with " + status + ": " + end);
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
