// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark's protocols drive the committer, step by step. Each makes the driver's committer with an
 * attempt of a job id that is only made for that.
 */
class SparksStepsTest {

  private static final Path OUT = new Path("rados://my_pool/out");
  private static final String UUID_SETTING = "spark.sql.sources.writeJobUUID";
  private static final JobID JOB = new JobID("202611261200001234567890", 5);
  private static final JobID FOR_THE_COMMITTER = new JobID("20261126120000987654321", 0);

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("my_pool"));

  @BeforeEach
  void begin() throws IOException {
    try (FileSystem fs = OUT.getFileSystem(conf)) {
      fs.create(new Path(OUT, "old")).close();
    }
  }

  private static TaskAttemptContext attempt(Configuration conf, JobID job, TaskType type) {
    return new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(job, type, 0), 0));
  }

  private static RadosOutputCommitter driver(JobContext job) throws IOException {
    return new RadosOutputCommitter(
        OUT, attempt(job.getConfiguration(), FOR_THE_COMMITTER, TaskType.MAP));
  }

  private static RadosOutputCommitter write(TaskAttemptContext task) throws IOException {
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, task);
    committer.setupTask(task);
    Path work = committer.getWorkPath();
    work.getFileSystem(task.getConfiguration()).create(new Path(work, "part")).close();
    return committer;
  }

  private static void runTask(TaskAttemptContext task) throws IOException {
    RadosOutputCommitter committer = write(task);
    assertThat(committer.needsTaskCommit(task)).isTrue();
    committer.commitTask(task);
  }

  private List<String> names() throws IOException {
    return Listed.names(OUT, conf);
  }

  /** With the setting on the driver alone, which has a copy of the program's configuration. */
  private JobContext jobOfAnRdd() {
    JobContext job = attempt(conf, JOB, TaskType.MAP);
    job.getConfiguration().set(UUID_SETTING, "5f6c");
    assertThat(conf.get(UUID_SETTING)).isNull();
    return job;
  }

  @Test
  void anRddIsSavedWithAPlainConfiguration() throws IOException {
    JobContext job = jobOfAnRdd();
    RadosOutputCommitter driver = driver(job);
    driver.setupJob(job);
    runTask(attempt(conf, JOB, TaskType.REDUCE));
    assertThat(names()).containsExactly("old");
    driver.commitJob(job);
    assertThat(names()).containsExactly("_SUCCESS", "old", "part");
  }

  @Test
  void anRddWhoseJobFailsLeavesNothing() throws IOException {
    JobContext job = jobOfAnRdd();
    RadosOutputCommitter driver = driver(job);
    driver.setupJob(job);
    TaskAttemptContext task = attempt(conf, JOB, TaskType.REDUCE);
    RadosOutputCommitter late = write(task);
    driver.abortJob(job, JobStatus.State.FAILED);
    assertThatThrownBy(() -> late.commitTask(task)).hasMessageContaining("no job " + JOB);
    assertThat(names()).containsExactly("old");
  }

  /** When a job of Spark SQL gets its UUID. */
  private enum Uuid {
    BEFORE_SET_UP,
    AFTER_SET_UP,
    NEVER
  }

  /** Its tasks get the driver's configuration. The job has no id. */
  private Job jobOfSparkSql(Uuid uuid) throws IOException {
    JobConf own = new JobConf(conf);
    if (uuid == Uuid.BEFORE_SET_UP) {
      own.set(UUID_SETTING, "5f6c");
    }
    own.set(MRJobConfig.OUTPUT_VALUE_CLASS, "org.apache.spark.sql.catalyst.InternalRow");
    return Job.getInstance(own);
  }

  private static RadosOutputCommitter setUp(Job job, Uuid uuid) throws IOException {
    RadosOutputCommitter driver = driver(job);
    driver.setupJob(job);
    if (uuid == Uuid.AFTER_SET_UP) {
      job.getConfiguration().set(UUID_SETTING, "5f6c");
    }
    return driver;
  }

  /** Before in releases up to 4.1, after in 4.2, and never by data source V2. */
  @ParameterizedTest
  @EnumSource
  void aJobOfSparkSqlIsOneWheneverItGetsItsUuid(Uuid uuid) throws IOException {
    appendBySparkSql(uuid);
    assertThat(names()).containsExactly("_SUCCESS", "old", "part");
  }

  @ParameterizedTest
  @EnumSource
  void aJobOfSparkSqlThatFailsLeavesNothing(Uuid uuid) throws IOException {
    Job job = jobOfSparkSql(uuid);
    RadosOutputCommitter driver = setUp(job, uuid);
    TaskAttemptContext task = attempt(new Configuration(job.getConfiguration()), JOB, TaskType.MAP);
    RadosOutputCommitter late = write(task);
    driver.abortJob(job, JobStatus.State.FAILED);
    assertThatThrownBy(() -> late.commitTask(task)).hasMessageContaining("no job ");
    assertThat(names()).containsExactly("old");
  }

  private void appendBySparkSql(Uuid uuid) throws IOException {
    Job job = jobOfSparkSql(uuid);
    RadosOutputCommitter driver = setUp(job, uuid);
    runTask(attempt(new Configuration(job.getConfiguration()), JOB, TaskType.MAP));
    driver.commitJob(job);
  }

  /** Spark has decided by its save mode before; the modes are MapReduce's. */
  @ParameterizedTest
  @ValueSource(strings = {"append", "replace", "fail"})
  void whatSparkSqlAppendsReplacesNothing(String mode) throws IOException {
    conf.set("fs.rados.committer.conflict-mode", mode);
    appendBySparkSql(Uuid.BEFORE_SET_UP);
    assertThat(names()).containsExactly("_SUCCESS", "old", "part");
  }

  @Test
  void theModesAreThoseOfRddsToo() throws IOException {
    conf.set("fs.rados.committer.conflict-mode", "replace");
    JobContext job = jobOfAnRdd();
    RadosOutputCommitter driver = driver(job);
    driver.setupJob(job);
    runTask(attempt(conf, JOB, TaskType.REDUCE));
    driver.commitJob(job);
    assertThat(names()).containsExactly("_SUCCESS", "part");
  }
}
