// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.workbench.SparkSessions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
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
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List$;

/**
 * A job driven by hand through the commit protocol, as Spark's FileFormatWriter drives it, so that
 * a test decides what its attempts do and when: Spark in one process never runs two attempts of a
 * task at a time.
 */
public final class ProtocolJob {

  private static final String SUFFIX = "-c000.txt";

  private final Configuration configuration;
  private final String jobTracker = "20261121120000";
  private final FileCommitProtocol driver;
  private final JobContext context;

  /** Sets up a job that appends. */
  public ProtocolJob(SparkOnCeph on, String directory) {
    this(on.configuration(), on.uri(directory), UUID.randomUUID().toString());
    setup();
  }

  /**
   * A job that is not set up.
   *
   * @param to the destination, as a URI
   * @param jobId the one that Spark makes up for each write
   */
  public ProtocolJob(Configuration base, String to, String jobId) {
    this(base, to, jobId, FileCommitProtocol.instantiate(SparkSessions.PROTOCOL, jobId, to, false));
  }

  private ProtocolJob(Configuration base, String to, String jobId, FileCommitProtocol driver) {
    this.configuration = new Configuration(base);
    configuration.set("mapreduce.output.fileoutputformat.outputdir", to);
    configuration.set("spark.sql.sources.writeJobUUID", jobId);
    this.driver = driver;
    this.context = new JobContextImpl(configuration, new JobID(jobTracker, 0));
  }

  /** What Spark does before a job that overwrites what is there. */
  public ProtocolJob overwriting() throws IOException {
    Path to = new Path(configuration.get("mapreduce.output.fileoutputformat.outputdir"));
    boolean unused = driver.deleteWithJob(to.getFileSystem(configuration), to, true);
    return this;
  }

  public ProtocolJob setup() {
    driver.setupJob(context);
    return this;
  }

  /** Starts an attempt, with the protocol as it arrives at an executor. */
  public Attempt attempt(int task, int attempt) {
    return new Attempt(task, attempt, configuration);
  }

  /** The same, at an executor with another configuration. */
  public Attempt attempt(int task, int attempt, Configuration base) {
    Configuration own = new Configuration(base);
    own.set(
        "mapreduce.output.fileoutputformat.outputdir",
        configuration.get("mapreduce.output.fileoutputformat.outputdir"));
    return new Attempt(task, attempt, own);
  }

  public void commit(List<TaskCommitMessage> messages) {
    messages.forEach(driver::onTaskCommit);
    driver.commitJob(context, scala(messages));
  }

  /** Only what is in the Scala of every Spark that radosfs is tested with. */
  private static scala.collection.immutable.List<TaskCommitMessage> scala(
      List<TaskCommitMessage> messages) {
    scala.collection.immutable.List<TaskCommitMessage> list = List$.MODULE$.empty();
    for (int i = messages.size() - 1; i >= 0; i--) {
      list = new $colon$colon<>(messages.get(i), list);
    }
    return list;
  }

  public void abort() {
    driver.abortJob(context);
  }

  /** Aborts an attempt where it never ran. */
  public void abortTaskFromTheDriver(int task, int attempt) {
    copy(driver).abortTask(taskContext(configuration, task, attempt));
  }

  /** The driver, for another process: its protocol, configuration and what tasks reported. */
  public void save(File file, List<TaskCommitMessage> messages) throws IOException {
    try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(file))) {
      out.writeObject(driver);
      out.writeObject(new ArrayList<>(messages));
      out.writeUTF(configuration.get("mapreduce.output.fileoutputformat.outputdir"));
      out.writeUTF(configuration.get("spark.sql.sources.writeJobUUID"));
    }
  }

  /** Commits a job that another process saved. */
  @SuppressWarnings("unchecked")
  public static void commitSaved(File file, Configuration base)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(file))) {
      FileCommitProtocol driver = (FileCommitProtocol) in.readObject();
      List<TaskCommitMessage> messages = (List<TaskCommitMessage>) in.readObject();
      String to = in.readUTF();
      new ProtocolJob(base, to, in.readUTF(), driver).commit(messages);
    }
  }

  private TaskAttemptContext taskContext(Configuration base, int task, int attempt) {
    Configuration own = new Configuration(base);
    TaskAttemptID id =
        new TaskAttemptID(new TaskID(new JobID(jobTracker, 1), TaskType.MAP, task), attempt);
    own.set("mapreduce.job.id", id.getJobID().toString());
    own.set("mapreduce.task.id", id.getTaskID().toString());
    own.set("mapreduce.task.attempt.id", id.toString());
    own.setBoolean("mapreduce.task.ismap", true);
    own.setInt("mapreduce.task.partition", task);
    return new TaskAttemptContextImpl(own, id);
  }

  /** One attempt of a task. */
  public final class Attempt {
    private final FileCommitProtocol protocol = copy(driver);
    private final TaskAttemptContext task;
    private FSDataOutputStream out;

    private Attempt(int number, int attempt, Configuration base) {
      this.task = taskContext(base, number, attempt);
      protocol.setupTask(task);
    }

    /**
     * Writes and flushes as far as that goes, to the one file of the name that all attempts of the
     * task use; it stays open.
     */
    public Attempt write(byte[] content) throws IOException {
      if (out == null) {
        out = create(Option.empty(), SUFFIX);
      }
      out.write(content);
      return this;
    }

    /**
     * Writes another file.
     *
     * @param directory below the destination; empty for the destination
     * @param suffix the end of its name
     */
    public Attempt file(String directory, String suffix, byte[] content) throws IOException {
      Option<String> below = directory.isEmpty() ? Option.empty() : Option.apply(directory);
      try (FSDataOutputStream file = create(below, suffix)) {
        file.write(content);
      }
      return this;
    }

    private FSDataOutputStream create(Option<String> directory, String suffix) throws IOException {
      Path file = new Path(protocol.newTaskTempFile(task, directory, new FileNameSpec("", suffix)));
      return file.getFileSystem(task.getConfiguration()).create(file, false);
    }

    public Attempt close() throws IOException {
      out.close();
      return this;
    }

    public TaskCommitMessage commit() {
      return protocol.commitTask(task);
    }

    public void abort() {
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
