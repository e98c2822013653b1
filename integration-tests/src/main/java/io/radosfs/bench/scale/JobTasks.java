// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.committer.RadosOutputCommitter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/**
 * The tasks of a job by the committer alone: each writes its files under its work path, and
 * commits. File k is of task k modulo tasks, and of partition k modulo partitions.
 *
 * @param jobId and {@code jobNumber} are Hadoop's name of the job
 * @param partitions with none, the files are in the destination itself
 * @param bytes of each file
 */
public record JobTasks(
    String destination,
    String jobId,
    int jobNumber,
    int files,
    int partitions,
    int tasks,
    int bytes) {

  /** Runs some of them, so many at a time, each once. */
  public void run(Configuration configuration, int atATime, IntStream numbers) throws IOException {
    Threads.run(
        atATime,
        numbers.mapToObj(number -> (Threads.Work) () -> runTask(configuration, number)).toList());
  }

  private void runTask(Configuration configuration, int number) throws IOException {
    TaskID task = new TaskID(new JobID(jobId, jobNumber), TaskType.REDUCE, number);
    TaskAttemptContext attempt =
        new TaskAttemptContextImpl(configuration, new TaskAttemptID(task, 0));
    RadosOutputCommitter committer = new RadosOutputCommitter(new Path(destination), attempt);
    committer.setupTask(attempt);
    Path work = committer.getWorkPath();
    FileSystem fileSystem = work.getFileSystem(configuration);
    byte[] content = new byte[bytes];
    for (int file = number; file < files; file += tasks) {
      try (OutputStream stream = fileSystem.create(file(work, file))) {
        stream.write(content);
      }
    }
    committer.commitTask(attempt);
  }

  private Path file(Path directory, int number) {
    Path parent = partitions > 0 ? new Path(directory, "p=" + number % partitions) : directory;
    return new Path(parent, String.format("part-%06d", number));
  }
}
