// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.integration.spark.ProtocolJob;
import io.radosfs.integration.tables.Deep;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The one OSD of a cluster is killed by SIGKILL while a job writes and while it commits. Where it
 * is back soon nobody notices; where it is not the job fails, and the old data is there after.
 */
class OsdFailureIT extends OwnClusterJobs {

  private static final byte[] OLD = content(1, 100);
  private static final byte[] NEW = content(2, 6 << 20);

  /** More than is under way, or ready, at a time. */
  private static final byte[] LONG = content(3, 80 << 20);

  /** In which an OSD that lives answers, also on a machine with much to do. */
  private static final String SHORT = "4s";

  private static final String TIMEOUT = "60s";

  /** A commit has more writes than that, by a few. */
  private static final int LAST = 9;

  @TempDir Path folder;

  OsdFailureIT() {
    super(TIMEOUT);
  }

  @AfterEach
  void startTheOsd() {
    HookedConnections.unhook();
    own.startDead();
  }

  @Test
  void aTaskGoesOnWhenTheOsdIsBack() throws Exception {
    files.write("table/old", OLD);
    ProtocolJob job = files.overwrite("table");
    ProtocolJob.Attempt attempt = job.attempt(0, 0).write(Arrays.copyOf(LONG, 20 << 20));
    own.killOsd(0);
    CompletableFuture<Void> back = CompletableFuture.runAsync(own::startDead);
    TaskCommitMessage message =
        attempt.write(Arrays.copyOfRange(LONG, 20 << 20, LONG.length)).close().commit();
    back.get(2, TimeUnit.MINUTES);
    job.commit(List.of(message));
    files.assertFiles("table", LONG, 1);
    files.pool().assertClean();
  }

  @Test
  void aTaskThatGivesUpLeavesTheOldData() throws Exception {
    files.write("table/old", OLD);
    JobFiles withTimeout = new JobFiles(own.ceph(), pool, configuration(SHORT));
    ProtocolJob job = withTimeout.overwrite("table");
    ProtocolJob.Attempt attempt = job.attempt(0, 0).write(Arrays.copyOf(LONG, 20 << 20));
    own.killOsd(0);

    Throwable failure =
        catchThrowable(
            () -> attempt.write(Arrays.copyOfRange(LONG, 20 << 20, LONG.length)).close());

    own.startDead();
    assertThat(failure).isInstanceOf(IOException.class).hasStackTraceContaining(pool);
    job.abort();
    files.assertFiles("table", OLD, 1);
    files.pool().assertCleanAfterCollection();
  }

  /**
   * The OSD is not dead but suspended, and takes up what it was sent when nobody waits for it any
   * more.
   */
  @Test
  void aTaskThatIsNotAnsweredEndsInTime() throws Exception {
    files.write("table/old", OLD);
    Duration timeout = Duration.ofSeconds(6);
    JobFiles withTimeout = new JobFiles(own.ceph(), pool, configuration(timeout.toSeconds() + "s"));
    ProtocolJob job = withTimeout.overwrite("table");
    ProtocolJob.Attempt attempt = job.attempt(0, 0).write(Arrays.copyOf(LONG, 20 << 20));
    own.suspendOsd(0);
    long started = System.nanoTime();

    Throwable failure =
        catchThrowable(
            () -> attempt.write(Arrays.copyOfRange(LONG, 20 << 20, LONG.length)).close());

    Duration took = Duration.ofNanos(System.nanoTime() - started);
    own.resumeOsd(0);
    System.getLogger(OsdFailureIT.class.getName())
        .log(System.Logger.Level.WARNING, "a write that nobody answers took {0}", took);
    assertThat(failure).isInstanceOf(IOException.class).hasStackTraceContaining(pool);
    assertThat(took).isLessThan(timeout.multipliedBy(2).plusSeconds(1));
    job.abort();
    files.assertFiles("table", OLD, 1);
    files.pool().assertCleanAfterCollection();
  }

  /** Writes of commitJob that are done when the OSD dies; with the last of many it is over. */
  static IntStream writes() {
    return Deep.choose(0, 1) == 0 ? IntStream.of(0, LAST) : IntStream.range(0, LAST + 7);
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aCommitGoesOnWhenTheOsdIsBack(int writes) throws Exception {
    files.write("table/p=1/old", OLD);
    ProtocolJob job = files.overwrite("table");
    TaskCommitMessage message =
        job.attempt(0, 0).file("p=1", "-a", NEW).file("p=2", "-a", NEW).commit();
    AtomicReference<CompletableFuture<Void>> back = new AtomicReference<>();
    killAtWrite(writes, () -> back.set(CompletableFuture.runAsync(own::startDead)));
    job.commit(List.of(message));
    if (writes <= LAST || back.get() != null) {
      back.get().get(2, TimeUnit.MINUTES);
    }
    files.assertFiles("table", NEW, 2);
    files.pool().assertClean();
  }

  static IntStream fewWrites() {
    return Deep.choose(0, 1) == 0 ? IntStream.of(4) : writes();
  }

  @ParameterizedTest
  @MethodSource("fewWrites")
  void aCommitThatGivesUpIsMadeUpForLater(int writes) throws Exception {
    files.write("table/p=1/old", OLD);
    JobFiles withTimeout = new JobFiles(own.ceph(), pool, configuration(SHORT));
    ProtocolJob job = withTimeout.overwrite("table");
    TaskCommitMessage message =
        job.attempt(0, 0).file("p=1", "-a", NEW).file("p=2", "-a", NEW).commit();
    File saved = folder.resolve("job").toFile();
    job.save(saved, List.of(message));
    AtomicBoolean killed = new AtomicBoolean();
    killAtWrite(writes, () -> killed.set(true));

    Throwable failure = catchThrowable(() -> job.commit(List.of(message)));

    own.startDead();
    HookedConnections.unhook();
    assertThat(killed.get() || writes > LAST).as("the OSD was killed").isTrue();
    if (failure == null || files.dataFiles("table").size() == 2) {
      assertThat(writes).as("writes until after the decision").isPositive();
      files.assertFiles("table", NEW, 2);
    } else {
      assertThat(failure).isInstanceOf(IOException.class).hasStackTraceContaining(pool);
      files.assertFiles("table", OLD, 1);
    }
    files.pool().assertCheckFindsNothing();
    ProtocolJob.commitSaved(saved, configuration(TIMEOUT));
    files.assertFiles("table", NEW, 2);
    files.pool().assertCleanAfterCollection();
  }

  private static void killAtWrite(int writes, Runnable then) {
    AtomicInteger left = new AtomicInteger(writes);
    HookedConnections.hook(
        write -> {
          if (left.getAndDecrement() == 0) {
            own.killOsd(0);
            then.run();
          }
          return write.go();
        });
  }

  private static byte[] content(int seed, int bytes) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }
}
