// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.OpGate;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two drivers commit one job: the second has joined the plan of the first, written the report and
 * stopped before it prepared anything. Then the first has committed the job. What the second finds
 * when it goes on must not make it remove the report that is in use.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReportOfTwoDriversTest {

  private static final CommitJobStage.Request REQUEST =
      new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true);
  private static final String INDEX = "out/";
  private static final String REPORT = "out/_SUCCESS";
  private static final int SECONDS = 30;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
  private final CountDownLatch firstHasPlanned = new CountDownLatch(1);
  private final CountDownLatch secondHasJoined = new CountDownLatch(1);
  private final CountDownLatch secondGoesOn = new CountDownLatch(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private Future<JobCommit> second;

  /**
   * @param stopped the object before whose write the first driver waits for the second
   */
  private void commitByTheFirst(String stopped) throws Exception {
    SimulatedJobs.setUp(SimulatedJobs.job(cluster.client("setup"), "j1"));
    startTheSecond(INDEX, stopped);
    assertThat(commit("first").repeated()).isFalse();
  }

  /**
   * Starts the second driver, once the first waits.
   *
   * @param stopped the object before whose write it waits
   * @param firstStopped the same for the first
   */
  private void startTheSecond(String stopped, String firstStopped) {
    cluster.setGate(
        new OpGate() {
          @Override
          public void before(OpInfo op) {
            if (isWrite(op, "first", firstStopped)) {
              firstHasPlanned.countDown();
              waitFor(secondHasJoined);
            } else if (isWrite(op, "second", stopped)) {
              secondHasJoined.countDown();
              waitFor(secondGoesOn);
            }
          }
        });
    second =
        thread.submit(
            () -> {
              waitFor(firstHasPlanned);
              return commit("second");
            });
  }

  private static boolean isWrite(OpInfo op, String client, String object) {
    return op.write() && op.client().equals(client) && op.object().equals(object);
  }

  private JobCommit commit(String client) throws IOException {
    return CommitJobStage.run(SimulatedJobs.job(cluster.client(client), "j1"), REQUEST);
  }

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private JobCommit endOfTheSecond() throws Exception {
    secondGoesOn.countDown();
    return second.get(SECONDS, TimeUnit.SECONDS);
  }

  private void rename() throws IOException {
    new SimulatedJobs(cluster.client("renamer"))
        .namespace()
        .rename(SimulatedJobs.OUT, FsPath.parse("/moved"), false);
  }

  private void collectLongAfter() throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    new JobPoolCheck(cluster).assertNothingLeftButMarks();
  }

  private void assertReportIsWhole() throws IOException {
    assertThat(
            new SimulatedJobs(cluster.client("reader"))
                .namespace()
                .lookup(FsPath.parse("/moved/_SUCCESS")))
        .isPresent();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
  }

  /**
   * Found by the explorer: the record was removed although a second driver had joined the plan, and
   * so was the registration, without which the destination can be renamed.
   */
  @ParameterizedTest
  @ValueSource(strings = {REPORT, INDEX})
  void theRecordStaysForTheDriverThatJoined(String stopped) throws Exception {
    commitByTheFirst(stopped);
    assertThatThrownBy(this::rename).isInstanceOf(TransactionConflictException.class);
    assertThat(endOfTheSecond().repeated()).isTrue();
    collectLongAfter();
    rename();
    assertReportIsWhole();
  }

  /** All took the second driver for dead; it looks for the report where it is no longer. */
  @ParameterizedTest
  @ValueSource(strings = {REPORT, INDEX})
  void aDriverThatGoesOnAfterItsJobHasEndedRemovesNoReportInUse(String stopped) throws Exception {
    commitByTheFirst(stopped);
    collectLongAfter();
    rename();
    assertThatThrownBy(this::endOfTheSecond).hasCauseInstanceOf(JobEndedException.class);
    assertReportIsWhole();
    collectLongAfter();
  }

  /** The object that only it has written is removed, although the job's end was forgotten. */
  @Test
  void aDriverThatGoesOnAfterItsJobWasAbortedRemovesItsReport() throws Exception {
    SimulatedJobs.setUp(SimulatedJobs.job(cluster.client("setup"), "j1"));
    firstHasPlanned.countDown();
    startTheSecond(REPORT, "");
    waitFor(secondHasJoined);
    collectLongAfter();
    assertThatThrownBy(this::endOfTheSecond).hasCauseInstanceOf(JobEndedException.class);
    new JobPoolCheck(cluster).assertNothingLeftButMarks();
  }
}
