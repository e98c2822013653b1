// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/** Makes {@link RadosOutputCommitter}s: {@code mapreduce.outputcommitter.factory.scheme.rados}. */
public class RadosCommitterFactory extends PathOutputCommitterFactory {

  /**
   * The directory that Spark's own commit protocol gives to a dynamic overwrite: {@code
   * <table>/.spark-staging-<job>}.
   */
  private static final String SPARKS_STAGING = ".spark-staging-";

  /**
   * {@inheritDoc}
   *
   * @throws IOException for a dynamic overwrite by Spark's own protocol. With any committer but
   *     Hadoop's FileOutputCommitter, that writes past the staging directory and replaces nothing:
   *     the table would have the old rows and the new ones, and the job would succeed
   */
  @Override
  public PathOutputCommitter createOutputCommitter(Path outputPath, TaskAttemptContext context)
      throws IOException {
    if (outputPath.getName().startsWith(SPARKS_STAGING)) {
      throw new IOException(
          "a dynamic overwrite of "
              + outputPath.getParent()
              + " cannot be committed by Spark's own protocol together with this committer: it would"
              + " add the new rows and keep the old ones. Nothing was written. Set"
              + " spark.plugins=io.radosfs.RadosPlugin, or spark.sql.sources.commitProtocolClass="
              + "io.radosfs.committer.spark.RadosCommitProtocol; or unset"
              + " mapreduce.outputcommitter.factory.scheme.rados");
    }
    return new RadosOutputCommitter(outputPath, context);
  }
}
