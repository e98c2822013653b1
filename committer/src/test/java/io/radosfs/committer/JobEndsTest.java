// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.mount.SimulatedConnections;
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

/** What the ends of jobs leave in the process's metrics, and in the log. */
@Isolated("the metrics are those of the process")
class JobEndsTest {

  private static final Path OUT = new Path("rados://meta/out");
  private static final JobID ID = new JobID("20261124", 3);

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("meta"));
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
    assertThat(counted())
        .isEqualTo(
            Map.of(
                "rados_jobs_committed", 1L,
                "rados_jobs_files", 2L,
                "rados_jobs_bytes", 200L,
                "rados_tasks_committed", 1L));
  }

  @Test
  void aCommitThatFailsAndItsAbort() throws IOException {
    RadosOutputCommitter driver = written();
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf)) {
      fs.create(new Path(OUT, "a")).close();
    }
    assertThatThrownBy(() -> driver.commitJob(context())).isInstanceOf(IOException.class);
    driver.abortJob(context(), JobStatus.State.FAILED);
    assertThat(counted())
        .isEqualTo(
            Map.of("rados_jobs_failed", 1L, "rados_jobs_aborted", 1L, "rados_tasks_committed", 1L));
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
