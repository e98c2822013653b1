// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What {@code SparkSubmitIT} submits: it knows nothing of radosfs but a URI. */
public final class SubmittedApp {

  private SubmittedApp() {}

  /** Writes a partitioned table, adds to it, reads it back and prints what is in it. */
  @SuppressWarnings("SystemOut") // the test reads it
  public static void main(String[] arguments) throws IOException {
    // Not ASCII, whatever the locale says.
    String to = arguments[0] + "/gr\u00f6\u00dfe \u65e5\u672c";
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      for (int job = 0; job < 2; job++) {
        spark
            .range(0, 1000, 1, 2)
            .selectExpr("id", "concat('\u00fc', id % 3) AS p")
            .write()
            .mode("append")
            .partitionBy("p")
            .parquet(to);
      }
      Row row =
          spark
              .read()
              .parquet(to)
              .selectExpr("count(*)", "sum(id)", "count(DISTINCT p)")
              .collectAsList()
              .get(0);
      String last = spark.read().parquet(to).selectExpr("max(p)").as(Encoders.STRING()).first();
      System.out.println("read back: " + row.mkString(",") + "," + last.equals("\u00fc2"));
    }
  }
}
