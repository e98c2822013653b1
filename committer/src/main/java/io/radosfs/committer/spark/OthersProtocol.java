// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;

/**
 * The protocol for destinations that are not on radosfs: the one that Spark would use.
 *
 * <p>Where a factory of committers is configured for the file system, as for object stores, it is
 * Spark's protocol for such committers, if that is on the class path. Without it, it is Spark's own
 * protocol, which refuses a dynamic overwrite that would keep the old rows ({@link
 * DynamicOverwriteProtocol}).
 */
final class OthersProtocol {

  /** In {@code spark-hadoop-cloud}. */
  private static final String OF_CLOUDS =
      "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";

  private OthersProtocol() {}

  /**
   * @param path the destination; null if there is none
   */
  static FileCommitProtocol of(String jobId, String path, boolean dynamic, Configuration conf) {
    if (path != null
        && !isHadoopsOwn(new Path(path), conf)
        && conf.getClassByNameOrNull(OF_CLOUDS) != null) {
      return FileCommitProtocol.instantiate(OF_CLOUDS, jobId, path, dynamic);
    }
    return dynamic && path != null
        ? new DynamicOverwriteProtocol(jobId, path)
        : new SQLHadoopMapReduceCommitProtocol(jobId, path, dynamic);
  }

  private static boolean isHadoopsOwn(Path path, Configuration conf) {
    return PathOutputCommitterFactory.getCommitterFactory(path, conf)
        instanceof FileOutputCommitterFactory;
  }
}
