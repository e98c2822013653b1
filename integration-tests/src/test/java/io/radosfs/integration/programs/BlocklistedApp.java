// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** The driver of slow jobs and streams on a cluster of separate processes. */
public final class BlocklistedApp {

  /** Asks for rows that are appended to a table, whose URI follows. */
  public static final String APPEND = "append";

  /** Asks for a stream until all is done: from, to, and the checkpoint follow, by their URIs. */
  public static final String STREAM = "stream";

  /** What a job appends. */
  public static final long ROWS = 240;

  private static final int TASKS = 4;
  private static final long SLOW_EACH = 10;
  private static final long SLOW_MILLIS = 100;

  private BlocklistedApp() {}

  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate();
        Told told = new Told()) {
      told.answer(Told.DONE);
      told.answerEach(
          line -> {
            String[] words = line.split(" ");
            try {
              if (words[0].equals(STREAM)) {
                stream(spark, words);
              } else {
                append(spark, words[1]);
              }
              return Told.DONE;
            } catch (Exception e) {
              return causes(e);
            }
          });
    }
  }

  private static String causes(Throwable thrown) {
    StringBuilder all = new StringBuilder();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      all.append(cause).append(" | ");
    }
    return all.toString();
  }

  private static Dataset<Long> slowly(Dataset<Long> numbers) {
    MapFunction<Long, Long> slowly =
        number -> {
          if (number % SLOW_EACH == 0) {
            Thread.sleep(SLOW_MILLIS);
          }
          return number;
        };
    return numbers.map(slowly, Encoders.LONG());
  }

  private static void append(SparkSession spark, String table) {
    slowly(spark.range(0, ROWS, 1, TASKS).as(Encoders.LONG()))
        .toDF("id")
        .write()
        .mode(SaveMode.Append)
        .parquet(table);
  }

  private static void stream(SparkSession spark, String[] words)
      throws StreamingQueryException, java.util.concurrent.TimeoutException {
    slowly(
            spark
                .readStream()
                .schema("id BIGINT")
                .option("maxFilesPerTrigger", 1)
                .parquet(words[1])
                .as(Encoders.LONG()))
        .toDF("id")
        .writeStream()
        .format("parquet")
        .option("checkpointLocation", words[3])
        .trigger(Trigger.AvailableNow())
        .start(words[2])
        .awaitTermination();
  }
}
