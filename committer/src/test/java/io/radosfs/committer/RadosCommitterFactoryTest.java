// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.internal.io.HadoopMapReduceCommitProtocol;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Which committer the factory makes for the protocol of a Spark session. */
class RadosCommitterFactoryTest {

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("p"));

  /** Of a company that counts files, say. */
  public static class Counting extends SQLHadoopMapReduceCommitProtocol {
    public Counting(String jobId, String path, boolean dynamic) {
      super(jobId, path, dynamic);
    }
  }

  /** Has tasks write where the committer says, as that of Spark's module for clouds. */
  public static class ByCommitter extends HadoopMapReduceCommitProtocol {
    public ByCommitter(String jobId, String path, boolean dynamic) {
      super(jobId, path, dynamic);
    }

    @Override
    public String newTaskTempFile(
        TaskAttemptContext context, Option<String> dir, FileNameSpec spec) {
      throw new UnsupportedOperationException();
    }
  }

  /** With a method of that name that Spark does not know. */
  public static class WithOverload extends Counting {
    public WithOverload(String jobId, String path, boolean dynamic) {
      super(jobId, path, dynamic);
    }

    /** For callers of its own. */
    public String newTaskTempFile(TaskAttemptContext context, String ext) {
      return newTaskTempFile(context, Option.empty(), new FileNameSpec("", ext));
    }
  }

  private Class<?> committer(String protocol) throws IOException {
    conf.set(MRJobConfig.OUTPUT_VALUE_CLASS, "org.apache.spark.sql.catalyst.InternalRow");
    conf.set("spark.sql.sources.commitProtocolClass", protocol);
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    return new RadosCommitterFactory()
        .createOutputCommitter(new Path("rados://p/out"), task)
        .getClass();
  }

  /** Its tasks would write into the table itself. */
  @Test
  void sparksOwnProtocolAndWhatIsDerivedFromItGetHadoopsCommitter() throws IOException {
    assertThat(committer("")).isEqualTo(FileOutputCommitter.class);
    for (Class<?> own :
        new Class<?>[] {
          HadoopMapReduceCommitProtocol.class,
          SQLHadoopMapReduceCommitProtocol.class,
          Counting.class,
          WithOverload.class
        }) {
      assertThat(committer(own.getName())).as(own.getName()).isEqualTo(FileOutputCommitter.class);
    }
  }

  @Test
  void othersGetOurs() throws IOException {
    assertThat(committer(ByCommitter.class.getName())).isEqualTo(RadosOutputCommitter.class);
    assertThat(committer(RadosCommitProtocol.class.getName()))
        .isEqualTo(RadosOutputCommitter.class);
    assertThat(committer("of.another.ClassPath")).isEqualTo(RadosOutputCommitter.class);
  }
}
