// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.scale.JobTasks;
import io.radosfs.committer.RadosOutputCommitter;
import java.io.IOException;
import java.net.URI;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;

/**
 * The commit of jobs with many files, by the committer alone: tasks write one byte a file under
 * their work paths, and commitJob is timed.
 */
final class CommitBench implements BenchPart {

  private static final int TASKS = 100;
  private static final int THREADS = 16;
  private static final int FILE_BYTES = 1;
  private static final int FILES = 10_000;
  private static final int MANY_FILES = 100_000;

  private final FileSystem fileSystem;
  private final Path base;
  private final Configuration configuration;
  private final boolean large;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("commit");
  private int jobs;

  /**
   * The part.
   *
   * @param large with a job of 100,000 files, too
   */
  CommitBench(URI base, Configuration configuration, boolean large, int rounds, TimeTold progress)
      throws IOException {
    this.fileSystem = FileSystem.get(base, configuration);
    this.base = new Path(new Path(base), "commit");
    this.configuration = configuration;
    this.large = large;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin("commit", 2L * rounds * FILES + (large ? MANY_FILES : 0));
    double unused = commit(1_000, 1);
    attempt(results, "commitJob, 10,000 files in 1 directory", FILES, 1, rounds, 0.5);
    attempt(results, "commitJob, 10,000 files in 1,000 partitions", FILES, 1_000, rounds, 2);
    if (large) {
      // The tasks of this one take minutes.
      attempt(results, "commitJob, 100,000 files in 1 directory", MANY_FILES, 1, 1, 4);
    }
  }

  private void attempt(
      BenchResults results, String what, int files, int directories, int times, double goal)
      throws IOException, InterruptedException {
    results.attempt(what, () -> measure(what, files, directories, times, goal));
    results.measured(figures.list());
  }

  private void measure(String what, int files, int directories, int times, double goal)
      throws IOException {
    Samples seconds = new Samples();
    for (int round = 1; round <= times; round++) {
      seconds.add(commit(files, directories));
      progress.done(files, "%s, round %d: %.3f s", what, round, seconds.last());
    }
    figures.atMost(what, seconds, "s", goal);
  }

  /** Seconds that commitJob took. */
  private double commit(int files, int directories) throws IOException {
    Path destination = new Path(base, "job-" + jobs);
    JobID id = new JobID("bench-" + Long.toString(System.currentTimeMillis(), 36), jobs++);
    JobContext job = new JobContextImpl(configuration, id);
    RadosOutputCommitter committer = new RadosOutputCommitter(destination, job);
    committer.setupJob(job);
    int partitions = directories > 1 ? directories : 0;
    new JobTasks(
            destination.toString(),
            id.getJtIdentifier(),
            id.getId(),
            files,
            partitions,
            TASKS,
            FILE_BYTES)
        .run(configuration, THREADS, IntStream.range(0, TASKS));
    long started = System.nanoTime();
    committer.commitJob(job);
    double seconds = (System.nanoTime() - started) / 1e9;
    fileSystem.delete(destination, true);
    return seconds;
  }
}
