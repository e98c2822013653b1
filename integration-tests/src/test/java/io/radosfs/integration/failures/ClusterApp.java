package io.radosfs.integration.failures;

import io.radosfs.integration.tables.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The driver of jobs on a cluster of separate processes. Each line that it is told is a job: a
 * {@link Trouble}, and the table that is overwritten.
 */
public final class ClusterApp {

  static final String DONE = "done";
  static final long ROWS = 3_000;
  static final int TASKS = 3;

  private ClusterApp() {}

  @SuppressWarnings("SystemOut") // the test reads it
  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate();
        BufferedReader told =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(Program.ANSWER + DONE);
      for (String line = told.readLine(); line != null; line = told.readLine()) {
        String[] words = line.split(" ");
        System.setProperty(TroubledCommitProtocol.TROUBLE, words[0]);
        System.out.println(Program.ANSWER + overwrite(spark, words[1]));
      }
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
      return DONE;
    } catch (RuntimeException e) {
      return e.toString().replace('\n', ' ');
    }
  }
}
