// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.util.UUID;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.CheckpointFileManagerTests;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.ChecksumCheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileContextBasedCheckpointFileManager;
import org.scalatest.Args;
import org.scalatest.Reporter;
import org.scalatest.events.Event;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestSucceeded;
import scala.Function1;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Spark's own tests of what keeps the checkpoints of streams, on {@code rados://}: by FileContext,
 * without and with Spark's checksums. In a process of its own, since Spark's test jars would extend
 * the sessions of other tests.
 *
 * <p>The third way, by FileSystem, which Spark falls back to where FileContext is not set up, wants
 * {@code rename} to replace a file. It does on a local disk, and never on HDFS, whose rename ours
 * is.
 */
public final class CheckpointSuites {

  private static final String CONF_KEY = "fs.rados.ceph.conf";

  private CheckpointSuites() {}

  /**
   * Runs them, and answers with a line for each test, and one at the end.
   *
   * @param arguments the cluster's ceph.conf, and a directory
   */
  public static void main(String[] arguments) {
    Configuration conf = new Configuration();
    conf.set(CONF_KEY, arguments[0]);
    conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    Path directory = new Path(arguments[1]);
    run("FileContext", directory, path -> new FileContextBasedCheckpointFileManager(path, conf));
    run(
        "checksums",
        directory,
        path ->
            new ChecksumCheckpointFileManager(
                new FileContextBasedCheckpointFileManager(path, conf), true, 2, false));
    answer("end");
    System.exit(0); // the managers' threads would go on
  }

  private static void run(
      String name, Path directory, Function<Path, CheckpointFileManager> managers) {
    Reporter reporter =
        event -> {
          String result = result(event);
          if (!result.isEmpty()) {
            answer(name + ": " + result);
          }
        };
    new Suite(directory, managers)
        .run(
            Option.empty(),
            new Args(
                reporter,
                Args.apply$default$2(),
                Args.apply$default$3(),
                Args.apply$default$4(),
                Args.apply$default$5(),
                Args.apply$default$6(),
                Args.apply$default$7(),
                Args.apply$default$8(),
                Args.apply$default$9(),
                Args.apply$default$10()));
  }

  /** How a test ended; empty for other events. */
  private static String result(Event event) {
    if (event instanceof TestSucceeded succeeded) {
      return "passed: " + succeeded.testName();
    }
    if (event instanceof TestFailed failed) {
      return "failed: " + failed.testName() + ": " + failed.message();
    }
    return "";
  }

  @SuppressWarnings("SystemOut") // the test reads it
  private static void answer(String line) {
    System.out.println(Program.ANSWER + line.replace('\n', ' '));
  }

  /** Public, since Spark's is. */
  public static final class Suite extends CheckpointFileManagerTests {

    private final Path directory;
    private final Function<Path, CheckpointFileManager> managers;

    private Suite(Path directory, Function<Path, CheckpointFileManager> managers) {
      this.directory = directory;
      this.managers = managers;
    }

    @Override
    public void withTempHadoopPath(Function1<Path, BoxedUnit> body) {
      body.apply(new Path(directory, UUID.randomUUID().toString()));
    }

    /** The file system keeps no checksums in files of their own. */
    @Override
    public void checkLeakingCrcFiles(Path path) {
      for (FileStatus file : createManager(path).list(path)) {
        if (file.getPath().getName().matches("\\..*\\.crc")) {
          throw new AssertionError("left over: " + file.getPath());
        }
      }
    }

    @Override
    public CheckpointFileManager createManager(Path path) {
      return managers.apply(path);
    }
  }
}
