// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.CollectionLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job whose driver and executor, one process, is blocklisted at each of its operations: where the
 * engine repeats a set-up or a task's attempt, the job comes to its end, with every row once. The
 * commit finds out by itself what came of it: Spark repeats none.
 */
class BlocklistedJobTest {

  private static final Path OUT = new Path("rados://my_pool/out");

  /** More than any run of the job takes. */
  private static final int MANY = 500;

  /** When the process is blocklisted. */
  enum Moment {
    BEFORE(Fault.BLOCKLIST),
    AFTER(Fault.BLOCKLIST_AFTER);

    private final Fault fault;

    Moment(Fault fault) {
      this.fault = fault;
    }
  }

  private interface Step {
    void run(int attempt) throws IOException;
  }

  /** As an engine does: another attempt, after one that failed. */
  private static void repeated(Step step) throws IOException {
    try {
      step.run(0);
    } catch (IOException e) {
      step.run(1);
    }
  }

  private static TaskAttemptContext task(Configuration conf, int task, int attempt) {
    TaskID id = new TaskID(new JobID("20261121", 7), TaskType.MAP, task);
    return new TaskAttemptContextImpl(conf, new TaskAttemptID(id, attempt));
  }

  private static void runTask(Configuration conf, int task, int attempt) throws IOException {
    TaskAttemptContext context = task(conf, task, attempt);
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, context);
    committer.setupTask(context);
    try (FSDataOutputStream out =
        OUT.getFileSystem(conf).create(new Path(committer.getWorkPath(), "part-" + task))) {
      out.write("0123456789".repeat(200).getBytes(StandardCharsets.UTF_8));
    }
    committer.commitTask(context);
  }

  private static void runJob(Configuration conf) throws IOException {
    JobContextImpl context = new JobContextImpl(conf, new JobID("20261121", 7));
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, context);
    repeated(attempt -> driver.setupJob(context));
    for (int i = 0; i < 2; i++) {
      int task = i;
      repeated(attempt -> runTask(conf, task, attempt));
    }
    driver.commitJob(context);
  }

  /** By the connection that lives: the first one can read nothing of it any more. */
  @Test
  void aReportOfAnEarlierFailureIsPutRight(@TempDir java.nio.file.Path reports) throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    conf.set("fs.rados.committer.summary.report.directory", reports.toUri().toString());
    JobContextImpl context = new JobContextImpl(conf, new JobID("20261121", 7));
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, context);
    driver.setupJob(context);
    runTask(conf, 0, 0);
    SimulatedClient client = cluster.client("client.admin");
    client
        .faults()
        .once(op -> op.write() && op.summary().contains("e/part-0=<"), Fault.BLOCKLIST_AFTER);
    java.nio.file.Path report = reports.resolve("summary-job_20261121_0007.json");
    Files.writeString(report, "{\"success\" : false}");
    driver.commitJob(context);
    assertThat(Files.readString(report)).contains("\"success\" : true");
  }

  @Test
  void anAbortConnectsAnewOnAnInterruptedThreadToo() throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
    Configuration conf = SimulatedConnections.configuration(cluster);
    JobContextImpl context = new JobContextImpl(conf, new JobID("20261121", 7));
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, context);
    driver.setupJob(context);
    SimulatedClient client = cluster.client("client.admin");
    client.faults().atOp(client.ops() + 1, Fault.BLOCKLIST);
    assertThatThrownBy(() -> driver.needsTaskCommit(task(conf, 0, 0)))
        .isInstanceOf(IOException.class);
    Thread.currentThread().interrupt();
    driver.abortJob(context, JobStatus.State.KILLED);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(cluster.objects("my_pool", "").keySet())
        .noneMatch(object -> object.contains("//job/"));
  }

  /** A Spark session whose job runs when the cluster cuts it off, which is known by then. */
  private static final class CutOffSession {
    final SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
    final SimulatedClient client = cluster.client("client.admin");
    final Configuration conf = SimulatedConnections.configuration(cluster);
    final RadosCommitProtocol driver = new RadosCommitProtocol("job", OUT.toString(), false);
    final JobContextImpl context;

    CutOffSession() throws IOException {
      conf.setBoolean("fs.rados.impl.disable.cache", false);
      conf.set("mapreduce.output.fileoutputformat.outputdir", OUT.toString());
      conf.set("mapreduce.job.id", "job_20261121_0007");
      context = new JobContextImpl(new JobConf(conf), new JobID("20261121", 7));
      driver.setupJob(context);
      client.blocklist();
      assertThatThrownBy(() -> fs().exists(OUT)).isInstanceOf(IOException.class);
    }

    FileSystem fs() throws IOException {
      return OUT.getFileSystem(conf);
    }

    /** The keys of the job's record; a heartbeat has one. */
    List<String> record() {
      return cluster.objects("my_pool", "").entrySet().stream()
          .filter(object -> object.getKey().contains("//job/"))
          .map(object -> object.getKey() + object.getValue().omap().keySet())
          .toList();
    }
  }

  @Test
  void sparksAbortConnectsAnewOnAnInterruptedThreadToo() throws Exception {
    CutOffSession session = new CutOffSession();
    try (FileSystem fs = session.fs()) {
      Thread.currentThread().interrupt();
      session.driver.abortJob(session.context);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(session.record()).isEmpty();
    }
  }

  /** The session may stay open for days: others would wait for it as long. */
  @Test
  void aJobThatCannotBeAbortedIsNotSaidToBeAlive() throws Exception {
    CutOffSession session = new CutOffSession();
    try (FileSystem fs = session.fs()) {
      FaultPlan faults = session.client.faults().always(op -> true, Fault.failWith(Kind.TIMED_OUT));
      session.driver.abortJob(session.context);
      FaultPlan unused = faults.clear();
      List<String> before = session.record();
      assertThat(before).hasSize(1);
      ((RadosFileSystem) fs).mount().jobHeartbeats().beat();
      assertThat(session.record()).isEqualTo(before);
    }
  }

  /** The driver of RDD functions is a session's too. */
  @Test
  void aJobOfRddFunctionsThatCannotBeAbortedIsNotSaidToBeAlive() throws Exception {
    CutOffSession session = new CutOffSession();
    try (FileSystem fs = session.fs()) {
      session.driver.abortJob(session.context);
      assertThat(session.record()).isEmpty();
      RadosOutputCommitter driver = new RadosOutputCommitter(OUT, session.context);
      driver.setupJob(session.context);
      session.client.blocklist();
      assertThatThrownBy(() -> fs.exists(OUT)).isInstanceOf(IOException.class);
      FaultPlan faults = session.client.faults().always(op -> true, Fault.failWith(Kind.TIMED_OUT));
      assertThatThrownBy(() -> driver.abortJob(session.context, JobStatus.State.FAILED))
          .isInstanceOf(IOException.class);
      FaultPlan unused = faults.clear();
      List<String> before = session.record();
      assertThat(before).hasSize(1);
      ((RadosFileSystem) fs).mount().jobHeartbeats().beat();
      assertThat(session.record()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void theJobIsCommittedOnceWheneverItHappens(Moment moment) throws Exception {
    int op = 1;
    boolean struck = true;
    while (struck) {
      assertThat(op).isLessThan(MANY);
      SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
      SimulatedClient client = cluster.client("client.admin");
      Configuration conf = SimulatedConnections.configuration(cluster);
      conf.setBoolean("fs.rados.impl.disable.cache", false);
      conf.set("fs.rados.object.size", "1K");
      try (FileSystem fs = OUT.getFileSystem(conf)) {
        Path old = new Path(OUT, "old");
        fs.create(old).close();
        int at = client.ops() + op;
        client.faults().atOp(at, moment.fault);
        runJob(conf);
        struck = client.ops() >= at;
        noticeIfNobodyDid(fs);
        check(fs, op);
      }
      op++;
    }
    assertThat(op).as("operations tried").isGreaterThan(20);
  }

  /** What comes after the commit fails nobody. */
  private static void noticeIfNobodyDid(FileSystem fs) throws IOException {
    repeated(attempt -> fs.listStatus(OUT));
  }

  private static void check(FileSystem fs, int op) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (FileStatus status : fs.listStatus(OUT)) {
      found.put(status.getPath().getName(), status.getLen());
    }
    assertThat(found.keySet())
        .as("blocklisted at operation %d", op)
        .containsExactly("_SUCCESS", "old", "part-0", "part-1");
    assertThat(found).containsEntry("part-0", 2_000L).containsEntry("part-1", 2_000L);
    RadosFileSystem rados = (RadosFileSystem) fs;
    rados.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    assertThat(rados.mount().check().run(false).findings())
        .as("blocklisted at operation %d", op)
        .isEmpty();
  }
}
