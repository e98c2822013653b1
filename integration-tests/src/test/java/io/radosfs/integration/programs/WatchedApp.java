// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.util.Locale;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * A driver that shows its metrics. It first answers where its web pages are. Each line that it is
 * told is {@code write} or {@code read}, and a table.
 */
public final class WatchedApp {

  public static final long ROWS = 30_000;
  public static final int TASKS = 3;

  private WatchedApp() {}

  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate();
        Told told = new Told()) {
      told.answer(Told.DONE);
      told.answer(spark.sparkContext().uiWebUrl().get());
      told.answerEach(
          line -> {
            String[] words = line.split(" ");
            return switch (words[0]) {
              case "write" -> {
                spark
                    .range(0, ROWS, 1, TASKS)
                    .selectExpr("id", "sha2(cast(id AS string), 256) AS text")
                    .write()
                    .mode(SaveMode.Append)
                    .parquet(words[1]);
                yield Told.DONE;
              }
              case "read" ->
                  String.format(
                      Locale.ROOT,
                      "%d",
                      spark.read().parquet(words[1]).filter("length(text) = 64").count());
              default -> throw new IllegalArgumentException(line);
            };
          });
    }
  }
}
