// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import com.sun.jna.Function;
import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.integration.spark.HookedConnections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.TaskContext;

/** The commit protocol, which makes trouble for the first attempts of one task. */
public final class TroubledCommitProtocol extends RadosCommitProtocol {

  /** A {@link Trouble}, as a system property of the driver. */
  public static final String TROUBLE = "radosfs.test.trouble";

  /** A folder, likewise, by which attempts tell each other how far they are. */
  static final String FOLDER = "radosfs.test.folder";

  /** The task that is in trouble. */
  static final int TASK = 1;

  private static final long serialVersionUID = 1L;
  private static final int SIGKILL = 9;

  /** Two files are done, with three writes each, and the third one's object is next. */
  private static final int WRITES_AMID_DATA = 7;

  /** For another attempt, or for being killed because another one has won. */
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private final Trouble trouble = Trouble.valueOf(System.getProperty(TROUBLE));
  private final String folder = System.getProperty(FOLDER);
  private final String job;

  public TroubledCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    super(jobId, path, dynamicPartitionOverwrite);
    this.job = jobId;
  }

  @Override
  public void setupTask(TaskAttemptContext context) {
    super.setupTask(context);
    if (trouble.isDeadly() && isFirst()) {
      tell("first", Long.toString(ProcessHandle.current().pid()));
    }
    if (trouble == Trouble.DIES_WRITING_DATA && isFirst()) {
      AtomicInteger left = new AtomicInteger(WRITES_AMID_DATA);
      HookedConnections.hook(
          write -> {
            if (left.getAndDecrement() == 0) {
              die();
            }
            return write.go();
          });
    }
  }

  @Override
  public TaskCommitMessage commitTask(TaskAttemptContext context) {
    if (TaskContext.get().partitionId() == TASK) {
      if (trouble.isDeadly() && !isFirst()) {
        awaitDeathOfFirst();
      }
      beforeCommit();
    }
    TaskCommitMessage message = super.commitTask(context);
    if (trouble == Trouble.DIES_BEFORE_REPORT && isFirst()) {
      die();
    }
    return message;
  }

  private static boolean isFirst() {
    TaskContext task = TaskContext.get();
    return task.partitionId() == TASK && task.attemptNumber() == 0;
  }

  /** The one write of a task's commit is that of its manifest. */
  private void beforeCommit() {
    switch (trouble) {
      case DIES_BEFORE_MANIFEST -> firstDiesAt(write -> die());
      case DIES_SENDING_MANIFEST ->
          firstDiesAt(
              write -> {
                var unused = CompletableFuture.supplyAsync(() -> go(write));
                Thread.sleep(1);
                return die();
              });
      case DIES_AFTER_MANIFEST ->
          firstDiesAt(
              write -> {
                var unused = write.go();
                return die();
              });
      case SECOND_ATTEMPT_WINS -> {
        if (isFirst()) {
          await("the end, as the second attempt has won", "never");
        }
      }
      case FIRST_ATTEMPT_WINS -> {
        if (isFirst()) {
          await("the second attempt", "second");
        } else {
          tell("second");
          await("the end, as the first attempt has won", "never");
        }
      }
      case BOTH_ATTEMPTS_COMMIT -> {
        tell(isFirst() ? "first" : "second");
        await("the other attempt", isFirst() ? "second" : "first");
      }
      default -> {}
    }
  }

  private static void firstDiesAt(HookedConnections.Hook hook) {
    if (isFirst()) {
      HookedConnections.hook(hook);
    }
  }

  private static Object go(HookedConnections.Write write) {
    try {
      return write.go();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** At once; nothing of this process runs after it. */
  private static Object die() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    int failed = Function.getFunction("c", "kill").invokeInt(new Object[] {pid, SIGKILL});
    throw new IllegalStateException("still alive: " + failed);
  }

  /**
   * On a busy machine the first attempt may be so slow that Spark starts another one before it
   * dies. That one must not win: the first one would be ended and not die.
   */
  private void awaitDeathOfFirst() {
    await("the first attempt", "first");
    try {
      long pid = Long.parseLong(Files.readString(file("first")));
      await(
          "the end of the first attempt's executor",
          () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(String what) {
    tell(what, "");
  }

  private void tell(String what, String content) {
    try {
      // Whole or not at all for those that wait for it.
      Path made = Files.createTempFile(Path.of(folder), job, what);
      Files.writeString(made, content);
      Files.move(made, file(what), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(String whom, String file) {
    await(whom, () -> Files.exists(file(file)));
  }

  private void await(String whom, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited in vain for " + whom);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("ended while waiting for " + whom, e);
      }
    }
  }

  private Path file(String what) {
    return Path.of(folder, job + "-" + what);
  }
}
