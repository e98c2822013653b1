// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program in a process of its own, with all that the tests are compiled with on its class path.
 * It is told lines and answers lines; what it logs is shown when it fails.
 */
public final class Program implements AutoCloseable {

  /** Begins a line that is an answer; what libraries print is no answer. */
  public static final String ANSWER = "answer: ";

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedReader out;
  private final BufferedWriter in;

  private Program(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
  }

  /**
   * Starts a class's main.
   *
   * @param folder where it logs to
   * @param properties its system properties; Spark takes those that begin with "spark." for
   *     settings
   */
  public static Program start(
      Path folder, Class<?> main, Map<String, String> properties, String... arguments)
      throws IOException {
    return start(folder, main, properties, Map.of("SPARK_LOCAL_IP", "127.0.0.1"), arguments);
  }

  /**
   * The same.
   *
   * @param environment what it has beside what this process has
   */
  public static Program start(
      Path folder,
      Class<?> main,
      Map<String, String> properties,
      Map<String, String> environment,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@target/launch.args");
    command.add("-Dlog4j2.configurationFile=target/classes/io/radosfs/workbench/log4j2.properties");
    // Several of them share the machine with the cluster, and none lives long.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx768m"));
    properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(folder, main.getSimpleName(), ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(environment);
    return new Program(main.getSimpleName(), builder.start(), log);
  }

  /** All that the tests are compiled with, by absolute names. */
  public static String classPath() throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    return String.join(
        File.pathSeparator,
        target.resolve("test-classes").toString(),
        target.resolve("classes").toString(),
        Files.readString(target.resolve("test.classpath"), UTF_8).strip());
  }

  public void tell(String line) throws IOException {
    in.write(line);
    in.newLine();
    in.flush();
  }

  /** Waits for the next answer, and fails where the program ends without one. */
  public String answer() throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
    }
    throw new AssertionError(name + " ended without an answer: " + Files.readString(log, UTF_8));
  }

  /**
   * Waits until it has logged something.
   *
   * @return what the pattern's first group matched
   */
  public String awaitLogged(Pattern pattern, Duration atMost)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      boolean ended = !isAlive();
      Matcher matcher = pattern.matcher(Files.readString(log, UTF_8));
      if (matcher.find()) {
        return matcher.group(1);
      }
      if (ended || System.nanoTime() > deadline) {
        throw new AssertionError(
            name + " did not log '" + pattern + "': " + Files.readString(log, UTF_8));
      }
      Thread.sleep(50);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** By SIGKILL: it can do nothing about it. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Waits for its end, which must be a good one. */
  public void end() throws IOException, InterruptedException {
    in.close();
    int status = process.waitFor();
    if (status != 0) {
      throw new AssertionError(name + " failed: " + Files.readString(log, UTF_8));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
