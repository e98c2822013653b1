package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of tests that need a process of their own: a JVM with the test's class path. */
final class ChildJvm {

  private static final int SHOWN = 4000;

  private ChildJvm() {}

  /** Its output and its errors are one stream. */
  static ProcessBuilder of(Class<?> program, String... arguments) {
    return of(List.of(), program, arguments);
  }

  private static ProcessBuilder of(List<String> options, Class<?> program, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(options);
    command.add(program.getName());
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
    return run(List.of(), program, arguments);
  }

  /** The same, with options of the JVM. */
  static String run(List<String> options, Class<?> program, String... arguments)
      throws IOException {
    Process process = of(options, program, arguments).start();
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
