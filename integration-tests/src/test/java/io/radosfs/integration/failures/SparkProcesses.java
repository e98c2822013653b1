// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.Told;
import io.radosfs.integration.spark.SparkOnCeph;
import io.radosfs.workbench.SparkSessions;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A driver and executors that are processes of their own, and write to a pool that is new.
 *
 * @param on the pool, with a session of the test's process
 * @param cluster its workers are as many as there are executors
 * @param driver is told what to do, and answers {@link Told#DONE} to it
 */
public record SparkProcesses(SparkOnCeph on, SparkCluster cluster, Program driver)
    implements AutoCloseable {

  private static final int WORKERS = 2;

  /**
   * Starts them, and waits until the driver is there.
   *
   * @param folder their logs, and what Spark's processes write, are below
   * @param app the driver's program
   * @param protocol its commit protocol
   * @param connections its factory of connections
   * @param more given the other settings, of which it may change any
   */
  public static SparkProcesses start(
      Path folder,
      Class<?> app,
      String protocol,
      Class<?> connections,
      Consumer<Map<String, String>> more)
      throws Exception {
    SparkOnCeph on = SparkOnCeph.withNewPool();
    SparkCluster cluster = null;
    Program driver = null;
    try {
      cluster = SparkCluster.start(folder, WORKERS);
      Map<String, String> settings = cluster.application(on.ceph.conf());
      settings.put(SparkSessions.PROTOCOL_SETTING, protocol);
      settings.put("spark.hadoop.fs.rados.cluster.factory", connections.getName());
      settings.put("spark.hadoop.fs.rados.replaced.retention", "0");
      more.accept(settings);
      driver = Program.start(folder, app, settings);
      assertThat(driver.answer()).isEqualTo(Told.DONE);
      return new SparkProcesses(on, cluster, driver);
    } catch (Exception | AssertionError e) {
      close(on, cluster, driver);
      throw e;
    }
  }

  /** Ends all of them. */
  @Override
  public void close() {
    close(on, cluster, driver);
  }

  private static void close(SparkOnCeph on, SparkCluster cluster, Program driver) {
    try (on;
        cluster;
        driver) {
      // Closed in the reverse order, whatever fails; what was not started is null.
    }
  }
}
