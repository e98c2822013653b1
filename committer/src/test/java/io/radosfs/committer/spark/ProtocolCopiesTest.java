// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** An engine that asks one copy of the protocol for a task's files, and commits it by another. */
class ProtocolCopiesTest {

  private static final Path OUT = new Path("rados://meta/out");
  private static final JobID ID = new JobID("20261129", 5);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final JobContextImpl job = new JobContextImpl(new JobConf(conf), ID);
  private final RadosCommitProtocol driver = new RadosCommitProtocol("job", OUT.toString(), false);

  private RadosCommitProtocol copy(TaskAttemptContext task) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(driver);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      RadosCommitProtocol copy = (RadosCommitProtocol) in.readObject();
      copy.setupTask(task);
      return copy;
    }
  }

  private TaskAttemptContext task(int number) {
    return new TaskAttemptContextImpl(
        conf, new TaskAttemptID(new TaskID(ID, TaskType.MAP, number), 0));
  }

  private void write(RadosCommitProtocol asked, TaskAttemptContext task) throws IOException {
    Path file = new Path(asked.newTaskTempFile(task, Option.empty(), ".txt"));
    try (FileSystem fs = FileSystem.newInstance(file.toUri(), conf)) {
      fs.create(file).close();
    }
  }

  private void commit(TaskCommitMessage... messages) {
    driver.commitJob(job, CollectionConverters.asScala(List.of(messages)).toSeq());
  }

  @Test
  void aTaskThatSaysThatItHasWrittenNothingIsNotBelievedWhereTheRecordHasItsFile()
      throws Exception {
    driver.setupJob(job);
    write(copy(task(0)), task(0));
    TaskCommitMessage nothing = copy(task(0)).commitTask(task(0));
    assertThatThrownBy(() -> commit(nothing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has reported that it has written no file")
        .hasMessageContaining("/out/part-00000-job.txt")
        .hasMessageContaining("nothing was made visible");
    driver.abortJob(job);
    assertThat(cluster.objects("meta", "")).doesNotContainKey("out/part-00000-job.txt");
  }

  /** Neither a task without files nor an attempt that was not committed keeps a job from it. */
  @Test
  void aTaskThatHasWrittenNothingIsBelieved() throws Exception {
    driver.setupJob(job);
    RadosCommitProtocol one = copy(task(0));
    write(one, task(0));
    write(copy(task(2)), task(2));
    commit(one.commitTask(task(0)), copy(task(1)).commitTask(task(1)));
    assertThat(cluster.objects("meta", ""))
        .containsKey("out/part-00000-job.txt")
        .doesNotContainKey("out/part-00002-job.txt");
  }
}
