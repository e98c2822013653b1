// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** An overwrite whose process is gone of a sudden, after some of its tasks committed. */
public final class KilledApp {

  public static final int STATUS = 9;

  private KilledApp() {}

  /** Never ends by itself. */
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      MapPartitionsFunction<Long, Long> dies =
          numbers ->
              Rows.then(
                  numbers,
                  () -> {
                    if (TaskContext.get().partitionId() == 5) {
                      Runtime.getRuntime().halt(STATUS);
                    }
                  });
      Dataset<Long> numbers = spark.range(0, 6000, 1, 6).as(Encoders.LONG());
      numbers
          .mapPartitions(dies, Encoders.LONG())
          .selectExpr("value AS id", "value % 3 AS p")
          .write()
          .mode(SaveMode.Overwrite)
          .partitionBy("p")
          .parquet(arguments[0]);
    }
  }
}
