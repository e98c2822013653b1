// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.workbench.Counters;
import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Runs an executor's share of a job's tasks.
 *
 * @param executor which one, from 0
 * @param cores how many tasks it runs at a time
 */
public record RunTasks(JobTasks job, int executor, int executors, int cores) implements Order {

  @Override
  public WorkerAnswer run(Configuration configuration) throws IOException {
    FileSystem fileSystem = new Path(job.destination()).getFileSystem(configuration);
    int[] tasks =
        IntStream.range(0, job.tasks()).filter(task -> task % executors == executor).toArray();
    long started = System.nanoTime();
    job.run(configuration, cores, IntStream.of(tasks));
    long nanos = System.nanoTime() - started;
    return WorkerAnswer.of(tasks.length, nanos, Counters.of(fileSystem));
  }
}
