// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;

/**
 * The protocol for destinations that are not on radosfs: the one that Spark would use.
 *
 * <p>Spark's own protocol works with Hadoop's FileOutputCommitter alone. With any other committer,
 * as of object stores, it has tasks write into the table itself, and a dynamic overwrite replaces
 * nothing. So where another is configured, it is Spark's protocol for such committers, if it is on
 * the class path.
 */
final class OthersProtocol {

  /** In {@code spark-hadoop-cloud}. */
  private static final String OF_CLOUDS =
      "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";

  private OthersProtocol() {}

  /**
   * @param path the destination; null if there is none
   * @throws IOException for a dynamic overwrite that would keep the old rows
   */
  static FileCommitProtocol of(String jobId, String path, boolean dynamic, Configuration conf)
      throws IOException {
    if (path == null || isHadoopsOwn(new Path(path), conf)) {
      return new SQLHadoopMapReduceCommitProtocol(jobId, path, dynamic);
    }
    if (conf.getClassByNameOrNull(OF_CLOUDS) != null) {
      return FileCommitProtocol.instantiate(OF_CLOUDS, jobId, path, dynamic);
    }
    if (dynamic) {
      throw new IOException(
          "a dynamic overwrite of "
              + path
              + " cannot be committed by Spark's own protocol together with the committer that is"
              + " configured for its file system: it would add the new rows and keep the old ones."
              + " Nothing was written. Put spark-hadoop-cloud of your Spark on the class path, whose"
              + " protocol is used then, or unset the mapreduce.outputcommitter.factory… setting of"
              + " that file system");
    }
    return new SQLHadoopMapReduceCommitProtocol(jobId, path, dynamic);
  }

  private static boolean isHadoopsOwn(Path path, Configuration conf) {
    return PathOutputCommitterFactory.getCommitterFactory(path, conf)
        instanceof FileOutputCommitterFactory;
  }
}
