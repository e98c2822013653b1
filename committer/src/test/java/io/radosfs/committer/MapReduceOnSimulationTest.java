// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.OpLog;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MapReduce's own classes drive the committer, over {@code rados://} on the simulation. */
class MapReduceOnSimulationTest {

  private static final org.apache.hadoop.fs.Path OUT =
      new org.apache.hadoop.fs.Path("rados://my_pool/out");

  @TempDir Path local;

  private final SimulatedCluster cluster = SimulatedCluster.withPools("my_pool");
  private Configuration conf;

  @BeforeEach
  void configure() {
    conf = SimulatedConnections.configuration(cluster);
    conf.set(
        "mapreduce.outputcommitter.factory.scheme.rados", RadosCommitterFactory.class.getName());
    conf.set("hadoop.tmp.dir", local.resolve("tmp").toString());
    conf.set("mapreduce.framework.name", "local");
  }

  private List<String> names() throws IOException {
    return Listed.names(OUT, conf);
  }

  private void assertNothingOfJobs() {
    assertThat(cluster.objects("my_pool", "").keySet())
        .noneMatch(name -> name.contains("//job/") || name.contains("__radosfs_work"));
  }

  @Test
  void aJobOfMapsAndReducesIsCommitted() throws Exception {
    Files.createDirectory(local.resolve("in"));
    Files.writeString(local.resolve("in/a"), "one two\nthree\n");
    Job job = Job.getInstance(conf);
    job.setMapperClass(Mapper.class);
    job.setReducerClass(Reducer.class);
    job.setNumReduceTasks(2);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(local.resolve("in").toUri()));
    FileOutputFormat.setOutputPath(job, OUT);
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(names()).containsExactly("_SUCCESS", "part-r-00000", "part-r-00001");
    assertThat(cluster.objects("my_pool", "")).containsKey("out/part-r-00000");
    assertNothingOfJobs();
  }

  private static TaskAttemptContext task(Configuration conf, int task, int attempt) {
    TaskID id = new TaskID(new JobID("20261121", 7), TaskType.MAP, task);
    return new TaskAttemptContextImpl(conf, new TaskAttemptID(id, attempt));
  }

  private RadosOutputCommitter write(Configuration jobConf, int task, int attempt)
      throws Exception {
    TaskAttemptContext context = task(jobConf, task, attempt);
    TextOutputFormat<String, String> format = new TextOutputFormat<>();
    RadosOutputCommitter committer = (RadosOutputCommitter) format.getOutputCommitter(context);
    committer.setupTask(context);
    RecordWriter<String, String> writer = format.getRecordWriter(context);
    writer.write("task " + task, "attempt " + attempt);
    writer.close(context);
    return committer;
  }

  private Configuration jobConf() {
    Configuration jobConf = new Configuration(conf);
    jobConf.set(FileOutputFormat.OUTDIR, OUT.toString());
    return jobConf;
  }

  private static JobContextImpl job(Configuration jobConf) {
    return new JobContextImpl(jobConf, new JobID("20261121", 7));
  }

  @Test
  void attemptsAreAbortedAndCommittedAndTheMasterMayRestart() throws Exception {
    Configuration jobConf = jobConf();
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, job(jobConf));
    driver.setupJob(job(jobConf));
    RadosOutputCommitter first = write(jobConf, 0, 0);
    assertThat(first.getWorkPath().toString())
        .isEqualTo("rados://my_pool/out/__radosfs_work/job_20261121_0007/m000000/0");
    assertThat(first.needsTaskCommit(task(jobConf, 0, 0))).isTrue();
    first.abortTask(task(jobConf, 0, 0));
    assertThatThrownBy(() -> first.commitTask(task(jobConf, 0, 0))).hasMessageContaining("aborted");
    write(jobConf, 0, 1).commitTask(task(jobConf, 0, 1));
    assertThat(
            new RadosOutputCommitter(OUT, task(jobConf, 5, 0)).needsTaskCommit(task(jobConf, 5, 0)))
        .isFalse();
    assertThat(names()).isEmpty();

    // A second application master takes over, and a third one repeats what the second has done.
    jobConf.setInt("mapreduce.job.application.attempt.id", 2);
    for (int master = 2; master <= 3; master++) {
      RadosOutputCommitter next = new RadosOutputCommitter(OUT, task(jobConf, 0, 0));
      assertThat(next.isRecoverySupported(job(jobConf))).isTrue();
      assertThat(next.isCommitJobRepeatable(job(jobConf))).isTrue();
      next.setupJob(job(jobConf));
      next.recoverTask(task(jobConf, 0, 1));
      next.commitJob(job(jobConf));
      assertThat(names()).containsExactly("_SUCCESS", "part-m-00000");
    }
    assertNothingOfJobs();
  }

  /**
   * Of a stage that runs again, with its rows distributed anew, an attempt may get none: what an
   * earlier one of the task has committed is in others' files then.
   */
  @Test
  void anAttemptWithoutFilesTakesThePlaceOfAnEarlierOne() throws Exception {
    Configuration jobConf = jobConf();
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, job(jobConf));
    driver.setupJob(job(jobConf));
    write(jobConf, 0, 0).commitTask(task(jobConf, 0, 0));
    RadosOutputCommitter empty = new RadosOutputCommitter(OUT, task(jobConf, 0, 1));
    empty.setupTask(task(jobConf, 0, 1));
    assertThat(empty.needsTaskCommit(task(jobConf, 0, 1))).isTrue();
    empty.commitTask(task(jobConf, 0, 1));
    write(jobConf, 1, 1).commitTask(task(jobConf, 1, 1));
    driver.commitJob(job(jobConf));
    assertThat(names()).containsExactly("_SUCCESS", "part-m-00001");
    assertNothingOfJobs();
  }

  @Test
  void anAbortedJobLeavesNothing() throws Exception {
    Configuration jobConf = jobConf();
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, job(jobConf));
    driver.setupJob(job(jobConf));
    write(jobConf, 0, 0).commitTask(task(jobConf, 0, 0));
    RadosOutputCommitter late = write(jobConf, 1, 0);
    driver.abortJob(job(jobConf), JobStatus.State.KILLED);
    assertThatThrownBy(() -> late.commitTask(task(jobConf, 1, 0))).hasMessageContaining("no job");
    assertThat(late.needsTaskCommit(task(jobConf, 1, 0))).isFalse();
    try (FileSystem fs = OUT.getFileSystem(conf)) {
      assertThat(fs.exists(OUT)).isFalse();
    }
    assertThat(cluster.objects("my_pool", "").keySet()).noneMatch(name -> name.startsWith("out"));
    assertNothingOfJobs();
  }

  @Test
  void conflictModesAreSettings() throws Exception {
    Configuration jobConf = jobConf();
    for (String file : new String[] {"old", "part-m-00000"}) {
      try (FileSystem fs = OUT.getFileSystem(conf)) {
        fs.create(new org.apache.hadoop.fs.Path(OUT, file)).close();
      }
    }
    jobConf.set("fs.rados.committer.conflict-mode", "fail");
    RadosOutputCommitter failing = new RadosOutputCommitter(OUT, job(jobConf));
    assertThatThrownBy(() -> failing.setupJob(job(jobConf))).hasMessageContaining("conflict mode");
    jobConf.set("fs.rados.pool.my_pool.committer.conflict-mode", "replace");
    RadosOutputCommitter replacing = new RadosOutputCommitter(OUT, job(jobConf));
    replacing.setupJob(job(jobConf));
    write(jobConf, 0, 0).commitTask(task(jobConf, 0, 0));
    assertThat(names()).containsExactly("old", "part-m-00000");
    replacing.commitJob(job(jobConf));
    assertThat(names()).containsExactly("_SUCCESS", "part-m-00000");
    jobConf.set("fs.rados.pool.my_pool.committer.conflict-mode", "merge");
    assertThatThrownBy(() -> new RadosOutputCommitter(OUT, job(jobConf)))
        .hasMessageContaining("fs.rados.pool.my_pool.committer.conflict-mode is 'merge'");
    assertNothingOfJobs();
  }

  @Test
  void aLocationElsewhereMustBeInTheSamePoolAndNamespace() throws Exception {
    Destination table = Destination.of(OUT, conf);
    TaskAttempt attempt = new TaskAttempt("m000000", "0");
    for (String same : new String[] {"rados://my_pool/loc", "/loc"}) {
      assertThat(table.workPathAt("j1", attempt, new org.apache.hadoop.fs.Path(same), "x"))
          .hasToString(OUT + "/__radosfs_work/j1/m000000/0/" + JobPaths.ELSEWHERE + "/loc/x");
    }
    assertThat(table.workPathAt("j1", attempt, new org.apache.hadoop.fs.Path(OUT, "two"), "x"))
        .hasToString(OUT + "/__radosfs_work/j1/m000000/0/two/x");
    for (String other : new String[] {"rados://ns@my_pool/loc", "rados://Other/x", "file:/x"}) {
      assertThatThrownBy(() -> table.location(new org.apache.hadoop.fs.Path(other)))
          .hasMessageContaining(other)
          .hasMessageContaining("one transaction reaches no other pool, namespace");
    }
    assertThatThrownBy(() -> table.location(new org.apache.hadoop.fs.Path("rados://my_pool/")))
        .hasMessageContaining("which holds that");
  }

  @Test
  void anotherFileSystemIsRefusedClearly() {
    Configuration jobConf = jobConf();
    assertThatThrownBy(
            () ->
                new RadosOutputCommitter(
                    new org.apache.hadoop.fs.Path(local.toUri()), job(jobConf)))
        .hasMessageContaining("mapreduce.outputcommitter.factory.scheme.rados");
  }

  /** Programs close the file system that Hadoop's cache gives to all of the process. */
  @Test
  void aJobHasHeartbeatsAlsoWhereOthersCloseItsFileSystem() throws Exception {
    Configuration jobConf = jobConf();
    jobConf.setBoolean("fs.rados.impl.disable.cache", false);
    jobConf.set(Options.CEPH_USER.key(), "client.job");
    SimulatedClient client = cluster.client("client.job");
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, job(jobConf));
    committer.setupJob(job(jobConf));
    OUT.getFileSystem(jobConf).close();
    assertThat(client.openConnections()).as("kept by the job").isEqualTo(1);
    int from = cluster.log().size();
    Destination.of(OUT, jobConf).fs().heartbeats().beat();
    List<OpLog.LoggedOp> log = cluster.log().entries();
    assertThat(log.subList(from, log.size()))
        .anyMatch(entry -> entry.op().write() && entry.op().object().contains("//job/"));
    OUT.getFileSystem(jobConf).close();
    committer.commitJob(job(jobConf));
    assertThat(names()).containsExactly("_SUCCESS");
    assertNothingOfJobs();
    OUT.getFileSystem(jobConf).close();
    assertThat(client.openConnections()).isZero();
  }
}
