// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.sql.SparkSession;

/**
 * Two attempts of one task write the same file at once, by the committer alone, as Spark does not
 * speculate on one machine. The first commits, and the job. Then the second, whose process nobody
 * has ended, closes its file and commits too.
 */
final class Speculation {

  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.";
  private static final String FIRST = "the first attempt's";
  private static final String SECOND = "the late attempt's";

  private final Path directory;
  private final FileSystem fileSystem;
  private final JobConf configuration;
  private final JobID job = new JobID("peers", 1);

  Speculation(SparkSession spark, Peer peer, Path directory) throws IOException {
    this.directory = directory;
    configuration = new JobConf(spark.sessionState().newHadoopConf());
    peer.settings().forEach(configuration::set);
    configuration.set("mapreduce.output.fileoutputformat.outputdir", directory.toString());
    configuration.set(FACTORY + "rados", "io.radosfs.committer.RadosCommitterFactory");
    configuration.set(FACTORY + "s3a", "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory");
    fileSystem = directory.getFileSystem(configuration);
  }

  private record Attempt(
      TaskAttemptContext context, PathOutputCommitter committer, OutputStream stream) {}

  String words() throws IOException {
    JobContext context = new JobContextImpl(configuration, job);
    PathOutputCommitter driver = committer(attempt(0));
    driver.setupJob(context);
    Attempt first = begin(0, FIRST);
    Attempt second = begin(1, SECOND);
    first.stream.close();
    String ofFirst = commit(first);
    String before = content();
    driver.commitJob(context);
    String committed = content();
    String ofSecond;
    try {
      second.stream.close();
      ofSecond = commit(second);
    } catch (IOException e) {
      ofSecond = "fails with " + Outcomes.reason(e);
    }
    return String.format(
        "the first attempt %s; before the job's commit a reader finds %s file, after it %s;"
            + " the late attempt %s, and a reader finds %s",
        ofFirst, before, committed, ofSecond, content());
  }

  private TaskAttemptContext attempt(int number) {
    TaskID task = new TaskID(job, TaskType.MAP, 0);
    return new TaskAttemptContextImpl(configuration, new TaskAttemptID(task, number));
  }

  private PathOutputCommitter committer(TaskAttemptContext context) throws IOException {
    return PathOutputCommitterFactory.getCommitterFactory(directory, configuration)
        .createOutputCommitter(directory, context);
  }

  private Attempt begin(int number, String content) throws IOException {
    TaskAttemptContext context = attempt(number);
    PathOutputCommitter committer = committer(context);
    committer.setupTask(context);
    OutputStream stream = fileSystem.create(new Path(committer.getWorkPath(), "part-0"), false);
    stream.write(content.getBytes(StandardCharsets.UTF_8));
    return new Attempt(context, committer, stream);
  }

  private static String commit(Attempt attempt) throws IOException {
    if (!attempt.committer.needsTaskCommit(attempt.context)) {
      return "has nothing to commit";
    }
    attempt.committer.commitTask(attempt.context);
    return "commits";
  }

  private String content() throws IOException {
    try (InputStream stream = fileSystem.open(new Path(directory, "part-0"))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return "no";
    }
  }
}
