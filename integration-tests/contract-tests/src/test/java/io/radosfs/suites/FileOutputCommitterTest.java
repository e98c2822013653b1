// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MapReduce's FileOutputCommitter, both of its algorithms; Hadoop's own tests of it are local. */
class FileOutputCommitterTest {

  private static final Path OUTPUT = new Path("/file-output-committer/out");
  private static final JobID JOB = new JobID("20261101", 1);

  private FileSystem fs;
  private int algorithm;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.newInstance(SuitePool.uri(), SuitePool.configure(new Configuration()));
  }

  @AfterEach
  void close() throws IOException {
    fs.delete(OUTPUT.getParent(), true);
    fs.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void commitsWhatWasCommittedAndMovesNoData(int version) throws Exception {
    algorithm = version;
    FileOutputCommitter job = committer(attempt(1, 0, 0));
    job.setupJob(attempt(1, 0, 0));
    FileOutputCommitter first = written(attempt(1, 0, 0), "zero");
    FileOutputCommitter late = written(attempt(1, 1, 0), "given up");
    FileOutputCommitter second = written(attempt(1, 1, 1), "one");
    long bytes = bytesWritten();

    first.commitTask(attempt(1, 0, 0));
    late.abortTask(attempt(1, 1, 0));
    second.commitTask(attempt(1, 1, 1));
    job.commitJob(attempt(1, 0, 0));

    assertThat(bytesWritten()).isEqualTo(bytes);
    assertThat(names(OUTPUT)).containsExactly("_SUCCESS", "part=0", "part=1");
    assertThat(read(new Path(OUTPUT, "part=0/data"))).isEqualTo("zero");
    assertThat(read(new Path(OUTPUT, "part=1/data"))).isEqualTo("one");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAbortedJobLeavesNothing(int version) throws Exception {
    algorithm = version;
    FileOutputCommitter job = committer(attempt(1, 0, 0));
    job.setupJob(attempt(1, 0, 0));
    written(attempt(1, 0, 0), "zero");
    job.abortJob(attempt(1, 0, 0), JobStatus.State.FAILED);
    assertThat(names(OUTPUT)).isEmpty();
  }

  /** As after a restart of the application master. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aSecondRunRecoversTheTasksOfTheFirst(int version) throws Exception {
    algorithm = version;
    committer(attempt(1, 0, 0)).setupJob(attempt(1, 0, 0));
    written(attempt(1, 0, 0), "zero").commitTask(attempt(1, 0, 0));

    FileOutputCommitter again = committer(attempt(2, 0, 0));
    assertThat(again.isRecoverySupported(attempt(2, 0, 0))).isTrue();
    again.setupJob(attempt(2, 0, 0));
    again.recoverTask(attempt(2, 0, 0));
    written(attempt(2, 1, 0), "one").commitTask(attempt(2, 1, 0));
    again.commitJob(attempt(2, 0, 0));

    assertThat(names(OUTPUT)).containsExactly("_SUCCESS", "part=0", "part=1");
    assertThat(read(new Path(OUTPUT, "part=0/data"))).isEqualTo("zero");
    assertThat(read(new Path(OUTPUT, "part=1/data"))).isEqualTo("one");
  }

  private TaskAttemptContext attempt(int run, int task, int attempt) {
    Configuration conf = SuitePool.configure(new Configuration(fs.getConf()));
    conf.setInt(MRJobConfig.APPLICATION_ATTEMPT_ID, run);
    conf.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, algorithm);
    TaskID id = new TaskID(JOB, TaskType.MAP, task);
    return new TaskAttemptContextImpl(conf, new TaskAttemptID(id, attempt));
  }

  private FileOutputCommitter committer(TaskAttemptContext attempt) throws IOException {
    return new FileOutputCommitter(fs.makeQualified(OUTPUT), attempt);
  }

  private FileOutputCommitter written(TaskAttemptContext attempt, String content)
      throws IOException {
    FileOutputCommitter committer = committer(attempt);
    committer.setupTask(attempt);
    int task = attempt.getTaskAttemptID().getTaskID().getId();
    Path file = new Path(committer.getWorkPath(), "part=" + task + "/data");
    try (FSDataOutputStream out = fs.create(file, false)) {
      out.write(content.getBytes(UTF_8));
    }
    return committer;
  }

  private long bytesWritten() {
    return ((IOStatisticsSource) fs).getIOStatistics().counters().get("rados_bytes_written");
  }

  private List<String> names(Path directory) throws IOException {
    return Arrays.stream(fs.exists(directory) ? fs.listStatus(directory) : new FileStatus[0])
        .map(status -> status.getPath().getName())
        .sorted()
        .toList();
  }

  private String read(Path file) throws IOException {
    try (var in = fs.open(file)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
