// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Provokes the messages about which committer a job has, and where it writes to. */
class CommitterMessagesTest {

  private static final String PAGE = "committer/docs/troubleshooting.md";
  private static final Path OUT = new Path("rados://p/out");

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("p"));
  private final List<String> told = new ArrayList<>();

  /** Makes a committer that is not Hadoop's own, as those of object stores are. */
  public static class KeepingFactory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(Path path, TaskAttemptContext context)
        throws IOException {
      return new RadosOutputCommitter(OUT, context);
    }
  }

  private JobContext job() {
    return new JobContextImpl(conf, new JobID("20261123", 1));
  }

  private TaskAttemptContext attempt() {
    return new TaskAttemptContextImpl(conf, new TaskAttemptID("20261123", 1, TaskType.MAP, 0, 0));
  }

  private void tell(ThrowingCallable call) {
    told.add(ToldMessages.thrownBy(call));
  }

  @Test
  void everySectionIsTested() {
    assertThat(ToldMessages.sectionsOf(PAGE))
        .as("by this class, JobMessagesTest, SparkMessagesTest, SparkReleaseTest")
        .containsExactly(
            "The wrong committer",
            "A job that does not begin",
            "A task that cannot commit",
            "A job that cannot commit",
            "A directory that another job holds",
            "A commit whose outcome is open",
            "Spark that does not start",
            "Releases");
  }

  @Test
  void theWrongCommitter() throws IOException {
    told.add(
        LoggedLines.warningOf(
            "io.radosfs.connector.hadoop.RenamingCommitters",
            () -> new FileOutputCommitter(OUT, job()).setupJob(job())));
    conf.set("fs.rados.committer.require", "reject");
    tell(() -> new FileOutputCommitter(new Path(OUT, "two"), job()).setupJob(job()));
    Path staging = new Path(OUT, ".spark-staging-1");
    tell(() -> new RadosCommitterFactory().createOutputCommitter(staging, null));
    tell(() -> Destination.of(new Path("file:///tmp/out"), conf));
    conf.set("mapreduce.outputcommitter.factory.scheme.file", KeepingFactory.class.getName());
    conf.set(FileOutputFormat.OUTDIR, "file:///tmp/out");
    tell(() -> new RadosCommitProtocol("job", "file:///tmp/out", true).setupJob(job()));
    Destination out = Destination.of(OUT, conf);
    tell(() -> out.location(new Path("rados://other/p=1")));
    tell(() -> out.location(new Path("rados://p/")));
    tell(() -> out.requireAnother(OUT));
    OutputCommitter own = new RadosOutputCommitter(OUT, attempt());
    tell(() -> ((FileOutputCommitter) own).getWorkPath());
    ToldMessages.of(PAGE, "The wrong committer").assertAre(told);
  }
}
