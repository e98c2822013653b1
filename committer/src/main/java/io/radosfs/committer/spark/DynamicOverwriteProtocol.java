// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;

/**
 * Spark's own protocol for a dynamic overwrite, with a look at the committer that it chooses.
 *
 * <p>It works with Hadoop's {@link FileOutputCommitter} alone. With any other, it has tasks write
 * into the table itself, and replaces nothing. Which one it is, is known when Spark has made it: a
 * format may name a class of its own, as Parquet does, and a factory may make Hadoop's.
 */
final class DynamicOverwriteProtocol extends SQLHadoopMapReduceCommitProtocol {

  private static final long serialVersionUID = 1L;

  private final String path;

  DynamicOverwriteProtocol(String jobId, String path) {
    super(jobId, path, /* dynamicPartitionOverwrite= */ true);
    this.path = path;
  }

  /**
   * Makes the committer: on the driver before anything is written, then for each task.
   *
   * <p>Throws an {@link IOException} if the committer would keep the old rows. Scala's methods
   * declare none.
   */
  @Override
  public OutputCommitter setupCommitter(TaskAttemptContext context) {
    OutputCommitter committer = super.setupCommitter(context);
    if (!(committer instanceof FileOutputCommitter)) {
      throw RadosCommitProtocol.<RuntimeException>asUnchecked(
          refusal(committer, context.getConfiguration()));
    }
    return committer;
  }

  private IOException refusal(OutputCommitter committer, Configuration conf) {
    return new IOException(
        "a dynamic overwrite of "
            + path
            + " cannot be committed by Spark's own protocol together with the committer that is"
            + " configured for its file system: it would add the new rows and keep the old ones."
            + " Nothing was written. Put spark-hadoop-cloud of your Spark on the class path, whose"
            + " protocol is used then, or set "
            + factorySetting(conf)
            + "="
            + PathOutputCommitterFactory.FILE_COMMITTER_FACTORY
            + ", and no spark.sql.sources.outputCommitterClass. The committer is "
            + committer.getClass().getName());
  }

  /** The setting for all file systems counts before that for the one. */
  private String factorySetting(Configuration conf) {
    return conf.getTrimmed(PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS, "").isEmpty()
        ? String.format(
            PathOutputCommitterFactory.COMMITTER_FACTORY_SCHEME_PATTERN,
            new Path(path).toUri().getScheme())
        : PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS;
  }
}
