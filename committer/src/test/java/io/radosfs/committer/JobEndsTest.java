// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics.LongStatistic;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ends of jobs leave in the process's metrics, and in the log. */
@Isolated("the metrics are those of the process")
class JobEndsTest {

  private static final Path OUT = new Path("rados://meta/out");
  private static final JobID ID = new JobID("20261124", 3);

  private static final Map<String, Long> COMMITTED =
      Map.of(
          "rados_jobs_committed", 1L,
          "rados_jobs_files", 2L,
          "rados_jobs_bytes", 200L,
          "rados_tasks_committed", 1L);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final Map<String, Long> before = jobs();

  private static Map<String, Long> jobs() {
    Map<String, Long> jobs = new TreeMap<>();
    ProcessMetrics.get()
        .getLongStatistics()
        .forEachRemaining((LongStatistic each) -> jobs.put(each.getName(), each.getValue()));
    jobs.keySet()
        .removeIf(name -> !name.matches("rados_(jobs|tasks)_.*") || name.contains("millis"));
    return jobs;
  }

  /** What has changed. */
  private Map<String, Long> counted() {
    Map<String, Long> counted = jobs();
    counted.replaceAll((name, value) -> value - before.get(name));
    counted.values().removeIf(value -> value == 0);
    return counted;
  }

  private JobContextImpl context() {
    return new JobContextImpl(conf, ID);
  }

  private RadosOutputCommitter written() throws IOException {
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, context());
    driver.setupJob(context());
    TaskAttemptContext task =
        new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(ID, TaskType.MAP, 0), 0));
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, task);
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf)) {
      for (String name : new String[] {"a", "p=1/b"}) {
        try (FSDataOutputStream out = fs.create(new Path(committer.getWorkPath(), name))) {
          out.write(new byte[100]);
        }
      }
    }
    committer.commitTask(task);
    return driver;
  }

  @Test
  void aCommitIsCountedOnce() throws IOException {
    RadosOutputCommitter driver = written();
    driver.commitJob(context());
    driver.commitJob(context());
    assertThat(counted()).isEqualTo(COMMITTED);
  }

  /** It is the plan that this call finds, which it goes on with. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitWhosePlanWasWrittenWithoutAnAnswer(boolean success) throws IOException {
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", success);
    RadosOutputCommitter driver = written();
    FaultPlan faults =
        faults().once(op -> op.write() && op.summary().contains("p/plan="), Fault.LOSE_ANSWER);
    driver.commitJob(context());
    assertThat(faults.struck()).hasSize(1);
    assertThat(counted()).isEqualTo(COMMITTED);
  }

  /** The connection is cut off by the answer, and another one finds the decision. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitThatWasDecidedWithoutAnAnswer(boolean success) throws IOException {
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", success);
    RadosOutputCommitter driver = written();
    FaultPlan faults =
        faults()
            .once(
                op ->
                    op.write()
                        && op.object().equals("out/")
                        && op.summary().contains("compareOmap(j/job_"),
                Fault.BLOCKLIST_AFTER);
    driver.commitJob(context());
    assertThat(faults.struck()).hasSize(1);
    assertThat(counted()).isEqualTo(COMMITTED);
  }

  /** By the plan of the first one, which died. */
  @Test
  void aCommitOfAnotherMaster() throws IOException {
    RadosOutputCommitter driver = written();
    faults().once(op -> op.write() && op.object().equals("out/_SUCCESS"), Fault.CRASH_BEFORE);
    assertThat(catchThrowable(() -> driver.commitJob(context()))).isNotNull();
    conf.set("fs.rados.ceph.user", "second");
    new RadosOutputCommitter(OUT, context()).commitJob(context());
    assertThat(counted()).isEqualTo(COMMITTED);
  }

  /**
   * It is cut off, and cannot connect anew. The pool has a name of its own, as Hadoop's cache keeps
   * what other tests have opened.
   */
  @Test
  void aSparkJobWithoutAConnection() throws IOException {
    Path out = new Path("rados://without-connection/out");
    SimulatedCluster own = SimulatedCluster.withPools("without-connection");
    Configuration cached = SimulatedConnections.configuration(own);
    cached.setBoolean("fs.rados.impl.disable.cache", false);
    cached.set("mapreduce.output.fileoutputformat.outputdir", out.toString());
    RadosCommitProtocol driver = new RadosCommitProtocol("job", out.toString(), false);
    JobContextImpl context = new JobContextImpl(new JobConf(cached), ID);
    SimulatedClient client = own.client("client.admin");
    try (FileSystem fs = out.getFileSystem(cached)) {
      driver.setupJob(context);
      client.blocklist();
      assertThatThrownBy(() -> fs.exists(out)).isInstanceOf(IOException.class);
      FaultPlan faults = client.faults().always(op -> true, Fault.failWith(Kind.TIMED_OUT));
      assertThatThrownBy(
              () -> driver.commitJob(context, scala.collection.immutable.Seq$.MODULE$.empty()))
          .isInstanceOf(IOException.class);
      assertThat(counted()).isEqualTo(Map.of("rados_jobs_failed", 1L));
      FaultPlan unused = faults.clear();
      driver.abortJob(context);
    }
  }

  private FaultPlan faults() {
    return cluster.client("client.admin").faults();
  }

  @Test
  void aCommitThatFailsAndItsAbort() throws IOException {
    RadosOutputCommitter driver = written();
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf)) {
      fs.create(new Path(OUT, "a")).close();
    }
    assertThatThrownBy(() -> driver.commitJob(context())).isInstanceOf(IOException.class);
    driver.abortJob(context(), JobStatus.State.FAILED);
    driver.abortJob(context(), JobStatus.State.FAILED);
    assertThat(counted())
        .isEqualTo(
            Map.of("rados_jobs_failed", 1L, "rados_jobs_aborted", 1L, "rados_tasks_committed", 1L));
  }

  @Test
  void anAbortOfSparkThatComesTwice() {
    JobContextImpl context = new JobContextImpl(new JobConf(conf), ID);
    RadosCommitProtocol driver = new RadosCommitProtocol("job", OUT.toString(), false);
    driver.setupJob(context);
    driver.abortJob(context);
    driver.abortJob(context);
    assertThat(counted()).isEqualTo(Map.of("rados_jobs_aborted", 1L));
  }

  @Test
  void aLogOfWarningsAloneHasTheLineWhereThatIsWanted() throws IOException {
    conf.set(CommitterOptions.LOG_LEVEL.key(), "warn");
    assertThat(logged(Level.WARN))
        .startsWith("WARN Committed job ")
        .contains(ID.toString(), "2 files, 200 bytes, 2 directories, 1 tasks")
        .hasLineCount(1);
  }

  @Test
  void aLogOfInformationHasItOnce() throws IOException {
    conf.set(CommitterOptions.LOG_LEVEL.key(), "warn");
    assertThat(logged(Level.INFO)).startsWith("INFO Committed job ").hasLineCount(1);
  }

  @Test
  void byDefaultItIsInformation() throws IOException {
    assertThat(logged(Level.WARN)).isEmpty();
  }

  /** The lines that a commit logs, where the log has those of this level. */
  private String logged(Level level) throws IOException {
    RadosOutputCommitter driver = written();
    return LoggedLines.of(
        level,
        List.of(JobEnds.class.getName(), CommitJobStage.class.getName()),
        () -> driver.commitJob(context()));
  }
}
