// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.workbench.SparkSessions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import org.apache.spark.sql.SparkSession;

/** Runs jobs with long descriptions, which Spark's event log holds. */
public final class LoggedApp {

  public static final int JOBS = 24;

  private static final int DESCRIPTION_BYTES = 512 << 10;

  private LoggedApp() {}

  /**
   * Runs the jobs, says the application's id, and ends when there is no more to read.
   *
   * @param arguments the cluster's ceph.conf
   */
  @SuppressWarnings("SystemOut") // the test reads it
  public static void main(String[] arguments) throws Exception {
    Random random = new Random(1);
    byte[] bytes = new byte[DESCRIPTION_BYTES];
    try (SparkSession spark = SparkSessions.local("1", Path.of(arguments[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (int job = 0; job < JOBS; job++) {
        random.nextBytes(bytes);
        spark.sparkContext().setJobDescription(HexFormat.of().formatHex(bytes));
        spark.range(1).foreach((Long one) -> {});
      }
      System.out.println(Program.ANSWER + spark.sparkContext().applicationId());
      while (in.readLine() != null) {
        // Nothing to be told.
      }
    }
  }
}
