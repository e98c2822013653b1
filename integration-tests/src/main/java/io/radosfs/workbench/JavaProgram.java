// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
}
