package io.radosfs.integration.spark;

import io.radosfs.workbench.SparkSessions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.apache.spark.internal.io.FileNameSpec;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A job driven by hand through the commit protocol, as Spark's FileFormatWriter drives it, so that
 * a test decides what its attempts do and when: Spark in one process never runs two attempts of a
 * task at a time.
 */
final class ProtocolJob {

  private static final String SUFFIX = "-c000.txt";

  private final Configuration configuration;
  private final String jobTracker = "20261121120000";
  private final FileCommitProtocol driver;
  private final JobContext context;

  ProtocolJob(SparkOnCeph on, String directory) {
    String jobId = UUID.randomUUID().toString();
    this.configuration = new Configuration(on.configuration());
    configuration.set("mapreduce.output.fileoutputformat.outputdir", on.uri(directory));
    configuration.set("spark.sql.sources.writeJobUUID", jobId);
    this.driver =
        FileCommitProtocol.instantiate(SparkSessions.PROTOCOL, jobId, on.uri(directory), false);
    this.context = new JobContextImpl(configuration, new JobID(jobTracker, 0));
    driver.setupJob(context);
  }

  /** Starts an attempt, with the protocol as it arrives at an executor. */
  Attempt attempt(int task, int attempt) {
    return new Attempt(task, attempt);
  }

  void commit(List<TaskCommitMessage> messages) {
    messages.forEach(driver::onTaskCommit);
    driver.commitJob(context, CollectionConverters.asScala(messages).toSeq());
  }

  void abort() {
    driver.abortJob(context);
  }

  /** One attempt of a task, which writes one file of the name that all attempts of the task use. */
  final class Attempt {
    private final FileCommitProtocol protocol = copy(driver);
    private final TaskAttemptContext task;
    private FSDataOutputStream out;

    private Attempt(int number, int attempt) {
      Configuration own = new Configuration(configuration);
      TaskAttemptID id =
          new TaskAttemptID(new TaskID(new JobID(jobTracker, 1), TaskType.MAP, number), attempt);
      own.set("mapreduce.job.id", id.getJobID().toString());
      own.set("mapreduce.task.id", id.getTaskID().toString());
      own.set("mapreduce.task.attempt.id", id.toString());
      own.setBoolean("mapreduce.task.ismap", true);
      own.setInt("mapreduce.task.partition", number);
      this.task = new TaskAttemptContextImpl(own, id);
      protocol.setupTask(task);
    }

    /** Writes and flushes as far as that goes; the file stays open. */
    Attempt write(byte[] content) throws IOException {
      if (out == null) {
        Path file =
            new Path(protocol.newTaskTempFile(task, Option.empty(), new FileNameSpec("", SUFFIX)));
        out = file.getFileSystem(task.getConfiguration()).create(file, false);
      }
      out.write(content);
      return this;
    }

    Attempt close() throws IOException {
      out.close();
      return this;
    }

    TaskCommitMessage commit() {
      return protocol.commitTask(task);
    }

    void abort() {
      protocol.abortTask(task);
    }
  }

  private static FileCommitProtocol copy(FileCommitProtocol protocol) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(protocol);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        return (FileCommitProtocol) in.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("the protocol cannot be sent to an executor", e);
    }
  }
}
