// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.workbench.JavaProgram;
import io.radosfs.workbench.SparkSessions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * A Spark driver in a process of its own that overwrites a table and is killed by SIGKILL when two
 * of its four tasks have been committed and the other two have written.
 */
public final class KilledDriver {

  private static final int TASKS = 4;
  private static final int CORES = 2;
  private static final String SETTINGS = "settings";

  private KilledDriver() {}

  /**
   * Never ends by itself.
   *
   * @param arguments the gate's folder, which has the settings too, and the table
   */
  public static void main(String[] arguments) throws IOException {
    SparkSessions.logQuietly();
    Path gate = Path.of(arguments[0]);
    Properties settings = new Properties();
    try (var reader = Files.newBufferedReader(gate.resolve(SETTINGS))) {
      settings.load(reader);
    }
    settings.forEach((key, value) -> System.setProperty(key.toString(), value.toString()));
    try (SparkSession spark = SparkSessions.local(Integer.toString(CORES), null)) {
      settings.forEach((key, value) -> spark.conf().set(key.toString(), value.toString()));
      GatedJobs.waiting(spark, gate, TASKS, TASKS - CORES)
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(arguments[1]);
    }
  }

  /** Starts one as this session is set, and kills it. */
  static void run(
      SparkSession spark, Peer peer, Map<String, String> hadoop, org.apache.hadoop.fs.Path table)
      throws IOException, InterruptedException {
    Path gate = Files.createTempDirectory("killed");
    Files.setPosixFilePermissions(
        gate, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    try {
      Properties settings = new Properties();
      settings.putAll(settingsOf(spark, peer, hadoop));
      try (var writer = Files.newBufferedWriter(gate.resolve(SETTINGS))) {
        settings.store(writer, null);
      }
      Path log = gate.resolve("log");
      Process driver = start(gate, table, log);
      try {
        GatedJobs.awaitWaiting(gate, CORES, () -> isAlive(driver, log));
      } finally {
        driver.destroyForcibly().waitFor();
      }
    } finally {
      GatedJobs.remove(gate);
    }
  }

  /** With what it printed where it has ended. */
  private static boolean isAlive(Process driver, Path log) {
    if (!driver.isAlive()) {
      try {
        throw new IllegalStateException("the driver ended by itself: " + Files.readString(log));
      } catch (IOException e) {
        throw new IllegalStateException("the driver ended by itself", e);
      }
    }
    return true;
  }

  private static Map<String, String> settingsOf(
      SparkSession spark, Peer peer, Map<String, String> hadoop) {
    Map<String, String> settings = new TreeMap<>(peer.settings());
    hadoop.forEach((key, value) -> settings.put("spark.hadoop." + key, value));
    for (scala.Tuple2<String, String> setting : spark.sparkContext().getConf().getAll()) {
      if (setting._1().startsWith("spark.hadoop.")) {
        settings.put(setting._1(), setting._2());
      }
    }
    return settings;
  }

  private static Process start(Path gate, org.apache.hadoop.fs.Path table, Path log)
      throws IOException {
    return JavaProgram.of(
            KilledDriver.class,
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g"),
            gate.toString(),
            table.toString())
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
