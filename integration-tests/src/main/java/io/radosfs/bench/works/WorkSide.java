// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * One of the two that are compared.
 *
 * @param root what is written is below it
 * @param protocol the commit protocol
 */
public record WorkSide(String title, Path root, String protocol) {

  /** Our own title. */
  public static final String RADOS = "rados://";

  /** The title of what it is compared with. */
  public static final String DISK = "local disk";

  private static final String ALGORITHM = "mapreduce.fileoutputcommitter.algorithm.version";

  /** Our committer, in a folder below the base. */
  public static WorkSide rados(URI base, String folder) {
    return new WorkSide(RADOS, new Path(new Path(base), folder), SparkSessions.PROTOCOL);
  }

  /** FileOutputCommitter with algorithm 1, in a folder of the local disk. */
  public static WorkSide disk(java.nio.file.Path directory, String folder) {
    Path root = new Path(new Path(directory.toUri()), folder);
    return new WorkSide(DISK, root, SparkSessions.SPARKS_PROTOCOL);
  }

  /** What the session writes from now on is written as on this side. */
  public void choose(SparkSession spark) {
    spark.conf().set(ALGORITHM, "1");
    spark.conf().set(SparkSessions.PROTOCOL_SETTING, protocol);
  }

  /** Removes what is at or below a directory of this side. */
  public static void delete(SparkSession spark, Path directory) throws IOException {
    boolean unused =
        directory.getFileSystem(spark.sessionState().newHadoopConf()).delete(directory, true);
  }
}
