// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.workbench.SparkSessions;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A stream of files into a table, one file a batch, that drops ids which an earlier batch had: so
 * its checkpoint has offsets, commits and state.
 */
public final class StreamApp {

  private StreamApp() {}

  /**
   * Works until all that is there is written.
   *
   * @param arguments the cluster's ceph.conf; the directories to read from, to write to, and of the
   *     checkpoint
   */
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark = SparkSessions.local("2", Path.of(arguments[0]))) {
      StreamingQuery query =
          spark
              .readStream()
              .schema("id BIGINT")
              .option("maxFilesPerTrigger", 1)
              .parquet(arguments[1])
              .dropDuplicates("id")
              .writeStream()
              .format("parquet")
              .option("checkpointLocation", arguments[3])
              .trigger(Trigger.AvailableNow())
              .start(arguments[2]);
      query.awaitTermination();
    }
  }
}
