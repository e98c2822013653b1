// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.apache.spark.internal.io.FileNameSpec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;

/**
 * Spark for Scala 2.12 and Spark for Scala 2.13 call two methods {@code commitJob}, each with its
 * own {@code Seq}. Here both are called as either Spark does, by their signatures.
 */
class BothScalasTest {

  private static final JobID JOB = new JobID("202611", 1);

  /** {@code Seq} in the signature of Spark for Scala 2.12, and for Scala 2.13. */
  static Stream<Class<?>> seqs() {
    return Stream.of(scala.collection.Seq.class, scala.collection.immutable.Seq.class);
  }

  @ParameterizedTest
  @MethodSource("seqs")
  void eitherCommitsTheJob(Class<?> seq) throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    Configuration conf = SimulatedConnections.configure(new Configuration(false), cluster);
    writeOneFile(conf, "rados://meta/" + seq.getName(), seq);
    assertThat(cluster.objects("meta", "").keySet())
        .contains(seq.getName() + "/_SUCCESS")
        .anyMatch(name -> name.startsWith(seq.getName() + "/part-00000-"));
  }

  /** By Spark's own protocol, whose {@code Seq} is that of the Spark which runs. */
  @ParameterizedTest
  @MethodSource("seqs")
  void eitherHandsOtherDestinationsToSpark(Class<?> seq, @TempDir Path directory) throws Exception {
    Configuration conf = new Configuration();
    String destination = directory.toUri().toString();
    RadosCommitProtocol protocol = new RadosCommitProtocol("job", destination, false);
    JobContext context = context(conf, destination);
    protocol.setupJob(context);
    commitJob(protocol, context, seq, Option.<TaskCommitMessage>empty().toList());
    assertThat(directory.toFile().list()).contains("_SUCCESS");
  }

  private static void writeOneFile(Configuration conf, String destination, Class<?> seq)
      throws Exception {
    RadosCommitProtocol protocol = new RadosCommitProtocol("job", destination, false);
    JobContext context = context(conf, destination);
    TaskAttemptID attempt = new TaskAttemptID(new TaskID(JOB, TaskType.MAP, 0), 0);
    conf.set("mapreduce.task.attempt.id", attempt.toString());
    TaskAttemptContext task = new TaskAttemptContextImpl(new JobConf(conf), attempt);
    protocol.setupJob(context);
    protocol.setupTask(task);
    String file = protocol.newTaskTempFile(task, Option.empty(), new FileNameSpec("", ".txt"));
    try (FileSystem fs = FileSystem.newInstance(URI.create(file), conf)) {
      fs.create(new org.apache.hadoop.fs.Path(file)).close();
      commitJob(protocol, context, seq, Option.apply(protocol.commitTask(task)).toList());
    }
  }

  private static JobContext context(Configuration conf, String destination) {
    conf.set(FileOutputFormat.OUTDIR, destination);
    conf.set("mapreduce.job.id", JOB.toString());
    return new JobContextImpl(new JobConf(conf), JOB);
  }

  /** As a Spark does that was compiled with that {@code Seq}; an immutable one suits both. */
  private static void commitJob(
      RadosCommitProtocol protocol,
      JobContext context,
      Class<?> seq,
      scala.collection.immutable.Seq<TaskCommitMessage> commits)
      throws ReflectiveOperationException {
    RadosCommitProtocol.class
        .getMethod("commitJob", JobContext.class, seq)
        .invoke(protocol, context, commits);
  }
}
