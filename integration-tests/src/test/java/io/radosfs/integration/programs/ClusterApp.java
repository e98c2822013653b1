// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.integration.failures.Trouble;
import io.radosfs.integration.failures.TroubledCommitProtocol;
import java.io.IOException;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The driver of jobs on a cluster of separate processes. Each line that it is told is a job: a
 * {@link Trouble}, and the table that is overwritten.
 */
public final class ClusterApp {

  public static final long ROWS = 3_000;
  public static final int TASKS = 3;

  private ClusterApp() {}

  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate();
        Told told = new Told()) {
      told.answer(Told.DONE);
      told.answerEach(
          line -> {
            String[] words = line.split(" ");
            System.setProperty(TroubledCommitProtocol.TROUBLE, words[0]);
            return overwrite(spark, words[1]);
          });
    }
  }

  private static String overwrite(SparkSession spark, String table) {
    try {
      spark
          .range(0, ROWS, 1, TASKS)
          .selectExpr("id", "id % 4 AS p")
          .write()
          .mode(SaveMode.Overwrite)
          .partitionBy("p")
          .parquet(table);
      return Told.DONE;
    } catch (RuntimeException e) {
      return e.toString();
    }
  }
}
