// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.committer.RadosOutputCommitter;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.workbench.Counters;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;

/**
 * A job by the committer alone, driven from this process, whose tasks executors run. It has a file
 * system of its own, so that all objects there are the job's. Its destination exists before.
 */
public final class ScaleJob implements Closeable {

  /** Of each file, so that the report of a job is little beside its files. */
  public static final int FILE_BYTES = 16 << 10;

  /** Tasks that an executor runs at a time. */
  public static final int CORES = 4;

  /** A destination that is to have shards is split when it has more names than this. */
  private static final int THRESHOLD = 32;

  /** So many that it is certainly split. Others have one, as the ledger is an object too. */
  private static final int NAMES_BEFORE = 2 * THRESHOLD;

  private final JobSize size;
  private final Workers executors;
  private final Configuration configuration;
  private final FileSystem fileSystem;
  private final Path destination;

  /**
   * What a job took.
   *
   * @param driver what this process counted
   * @param tasks what the executors counted
   * @param taskSeconds from the first order to the last answer
   */
  public record Taken(Counters driver, Counters tasks, double taskSeconds, double commitSeconds) {

    /** What all processes counted. */
    public long counted(String name) {
      return driver.get(name) + tasks.get(name);
    }
  }

  /**
   * Prepares it: connects, and makes the destination, with a file in it.
   *
   * @param root of a file system that nobody has used
   */
  public ScaleJob(URI root, Configuration given, JobSize size, Workers executors)
      throws IOException {
    this.size = size;
    this.executors = executors;
    this.configuration = new Configuration(given);
    if (size.shards() > 0) {
      configuration.setInt(Options.DIRECTORY_THRESHOLD.key(), THRESHOLD);
      configuration.setInt(Options.DIRECTORY_SHARDS.key(), size.shards());
    }
    this.destination = new Path(new Path(root), "out");
    this.fileSystem = destination.getFileSystem(configuration);
    boolean prepared = false;
    try {
      prepare();
      prepared = true;
    } finally {
      if (!prepared) {
        fileSystem.close();
      }
    }
  }

  private void prepare() throws IOException {
    if (!fileSystem.mkdirs(destination)) {
      throw new IOException(destination + " was not made");
    }
    for (int i = 0; i < (size.shards() > 0 ? NAMES_BEFORE : 1); i++) {
      try (OutputStream stream = fileSystem.create(new Path(destination, "before-" + i))) {
        stream.write(1);
      }
    }
    FsPath directory = FsPath.parse(destination.toUri().getPath());
    int objects = ((RadosFileSystem) fileSystem).mount().indexObjects(directory).size();
    if (objects != 1 + size.shards()) {
      throw new IOException(
          "the index of " + destination + " has " + objects + " objects: " + size.text());
    }
  }

  /** Runs it to its end. */
  public Taken run() throws IOException {
    JobID id = new JobID("scale", 1);
    JobContext job = new JobContextImpl(configuration, id);
    JobTasks tasks =
        new JobTasks(
            destination.toString(),
            id.getJtIdentifier(),
            id.getId(),
            size.files(),
            size.partitions(),
            size.tasks(),
            FILE_BYTES);
    Counters before = Counters.of(fileSystem);
    RadosOutputCommitter committer = new RadosOutputCommitter(destination, job);
    committer.setupJob(job);
    long started = System.nanoTime();
    List<WorkerAnswer> answers =
        executors.obey(
            IntStream.range(0, size.executors())
                .mapToObj(executor -> new RunTasks(tasks, executor, size.executors(), CORES))
                .toList());
    long written = System.nanoTime();
    committer.commitJob(job);
    long ended = System.nanoTime();
    return new Taken(
        Counters.of(fileSystem).since(before),
        sum(answers),
        (written - started) / 1e9,
        (ended - written) / 1e9);
  }

  private static Counters sum(List<WorkerAnswer> answers) {
    Map<String, Long> sums = new TreeMap<>();
    for (WorkerAnswer answer : answers) {
      answer.counters().forEach((name, count) -> sums.merge(name, count, Long::sum));
    }
    return new Counters(sums);
  }

  @Override
  public void close() throws IOException {
    fileSystem.close();
  }
}
