// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.integration.spark.StoppingCommitProtocol;
import io.radosfs.workbench.SparkSessions;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Overwrites a table, and stands still in the midst of its commit or after it. */
public final class StoppedDriverApp {

  public static final int ROWS = 60;
  public static final String COMMITTED = "committed";

  private StoppedDriverApp() {}

  /**
   * Never ends by itself.
   *
   * @param arguments the cluster's ceph.conf, and the table
   */
  @SuppressWarnings("SystemOut") // the test reads it
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark = SparkSessions.local("2", Path.of(arguments[0]))) {
      spark.conf().set(SparkSessions.PROTOCOL_SETTING, StoppingCommitProtocol.class.getName());
      write(spark, arguments[1], ROWS, 4);
      System.out.println(Program.ANSWER + COMMITTED);
      new CountDownLatch(1).await();
    }
  }

  /** Rows from 0, in partitions by the remainder. */
  public static void write(SparkSession spark, String table, int rows, int partitions) {
    spark
        .range(0, rows, 1, 2)
        .selectExpr("id", "id % " + partitions + " AS p")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("p")
        .parquet(table);
  }
}
