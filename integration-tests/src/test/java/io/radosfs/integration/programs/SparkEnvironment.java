// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The environment of a {@link Program} that starts processes of Spark, which is not installed. */
public final class SparkEnvironment {

  private SparkEnvironment() {}

  /**
   * Returns variables to which others may be added.
   *
   * @param home where Spark's own jars would be; the executors have the class path of the tests
   *     instead
   * @param address where the process listens
   */
  public static Map<String, String> of(Path home, String address) throws IOException {
    Files.createDirectories(home.resolve("jars"));
    Map<String, String> environment = new HashMap<>();
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", address);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    return environment;
  }
}
