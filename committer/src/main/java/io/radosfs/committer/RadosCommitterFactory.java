// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/**
 * Makes {@link RadosOutputCommitter}s: {@code mapreduce.outputcommitter.factory.scheme.rados}.
 *
 * <p>Spark's own protocol for SQL asks the factory too, where no other is set. It has tasks write
 * into the destination itself, where readers look, unless the committer is Hadoop's {@link
 * FileOutputCommitter}: what a task or job wrote that failed would stay. So it gets that one, which
 * renames, and is told of by {@code fs.rados.committer.require}.
 */
public class RadosCommitterFactory extends PathOutputCommitterFactory {

  /**
   * The directory that Spark's own commit protocol gives to a dynamic overwrite: {@code
   * <table>/.spark-staging-<job>}.
   */
  private static final String SPARKS_STAGING = ".spark-staging-";

  /** What Spark SQL says that its jobs write. */
  private static final String SPARKS_ROWS = "org.apache.spark.sql.catalyst.InternalRow";

  private static final String SPARKS_PROTOCOL = "spark.sql.sources.commitProtocolClass";

  private static final String OWN_PROTOCOL =
      "org.apache.spark.internal.io.HadoopMapReduceCommitProtocol";

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
    return isOfSparksOwnProtocol(context.getConfiguration())
        ? new FileOutputCommitter(outputPath, context)
        : new RadosOutputCommitter(outputPath, context);
  }

  /** Whether it is a job of Spark SQL, by whatever protocol. */
  static boolean isOfSparkSql(Configuration job) {
    return SPARKS_ROWS.equals(job.get(MRJobConfig.OUTPUT_VALUE_CLASS));
  }

  /** Other protocols, as that of Spark's module for clouds, write where the committer says. */
  private static boolean isOfSparksOwnProtocol(Configuration job) {
    String protocol = job.getTrimmed(SPARKS_PROTOCOL, "");
    return isOfSparkSql(job)
        && (protocol.isEmpty() || writesAsSparksOwn(job.getClassByNameOrNull(protocol)));
  }

  /** Whether tasks write where Spark's own protocol says, as with those derived from it. */
  private static boolean writesAsSparksOwn(Class<?> protocol) {
    return protocol != null
        && Arrays.stream(protocol.getMethods())
            .filter(RadosCommitterFactory::namesTaskFile)
            .anyMatch(method -> method.getDeclaringClass().getName().equals(OWN_PROTOCOL));
  }

  /** Whether Spark calls it for a task's file: a protocol may have other methods of that name. */
  private static boolean namesTaskFile(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return method.getName().equals("newTaskTempFile")
        && parameters.length == 3
        && parameters[2].getSimpleName().equals("FileNameSpec");
  }
}
