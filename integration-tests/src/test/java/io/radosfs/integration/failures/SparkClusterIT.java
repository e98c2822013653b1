// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.ClusterApp;
import io.radosfs.integration.programs.Told;
import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.integration.spark.SparkOnCeph;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Overwrites a table by jobs on a Spark cluster of separate processes, whose executors die by
 * SIGKILL around the commit of a task, or whose slow tasks are run twice: each row is there once,
 * and of the attempts that do not count nothing stays.
 */
class SparkClusterIT {

  @TempDir static Path folder;

  private static SparkProcesses processes;
  private static SparkOnCeph on;

  @BeforeAll
  static void start() throws Exception {
    processes =
        SparkProcesses.start(
            folder,
            ClusterApp.class,
            TroubledCommitProtocol.class.getName(),
            HookedConnections.class,
            SparkClusterIT::set);
    on = processes.on();
  }

  private static void set(Map<String, String> settings) {
    settings.put(TroubledCommitProtocol.FOLDER, folder.toString());
    settings.put("spark.speculation", "true");
    settings.put("spark.speculation.quantile", "0.5");
    settings.put("spark.speculation.interval", "100ms");
    // Longer than any task takes that nobody slows.
    settings.put("spark.speculation.minTaskRuntime", "4s");
  }

  @AfterAll
  static void stop() {
    if (processes != null) {
      processes.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachRowIsThereOnce(Trouble trouble) throws Exception {
    String table = "table-" + trouble;
    on.spark
        .range(0, 100, 1, 1)
        .selectExpr("id", "9 AS p")
        .write()
        .partitionBy("p")
        .parquet(on.uri(table));
    Set<Long> before = processes.cluster().awaitExecutors();

    assertThat(run(trouble, table)).isEqualTo(Told.DONE);

    Set<Long> dead = new TreeSet<>(before);
    dead.removeAll(processes.cluster().executors());
    assertThat(dead).as("executors that have died").hasSize(trouble.isDeadly() ? 1 : 0);
    List<Long> ids =
        on.spark.read().parquet(on.uri(table)).select("id").as(Encoders.LONG()).collectAsList();
    assertThat(ids.stream().sorted())
        .isEqualTo(LongStream.range(0, ClusterApp.ROWS).boxed().toList());
    assertThat(on.dataFiles(table)).as("files of tasks").hasSize(4 * ClusterApp.TASKS);
    new PoolState(on).assertCleanAfterCollection();
    assertThat(on.files(table)).as("files with _SUCCESS").hasSize(1 + 4 * ClusterApp.TASKS);
  }

  private static String run(Trouble trouble, String table) throws Exception {
    processes.driver().tell(trouble + " " + on.uri(table));
    return processes.driver().answer();
  }
}
