// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Machines whose clocks are hours apart, or are set while jobs run. A clock says who is thought to
 * be dead; it never says what is kept, and whoever is thought dead and is not is told so.
 */
class ClockTest {

  private static final long NOW = Duration.ofDays(20_000).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final JobLease LEASE = JobLease.of(Duration.ofHours(1));

  private SimulatedCluster cluster;
  private SimulatedJobs right;

  @BeforeEach
  void start() throws IOException {
    cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    right = at("right", NOW);
    right.namespace().mkdirs(SimulatedJobs.OUT, right.newDirectoryAttributes());
    right.create("/out/old", 120);
  }

  /** Long after all of it, by any of the clocks. */
  @AfterEach
  void nothingIsLeft() throws IOException {
    var tree = new JobPoolCheck(cluster).tree();
    for (int day = 1; day <= 3; day++) {
      at("janitor", NOW + day * 24 * HOUR).collect(NOW + day * 24 * HOUR - HOUR);
    }
    new JobPoolCheck(cluster).assertNothingLeft();
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(tree);
  }

  private SimulatedJobs at(String client, long time) throws IOException {
    return new SimulatedJobs(cluster.client(client), time);
  }

  private static Job setUp(SimulatedJobs fs, String id) throws IOException {
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    JobInfo info = new JobInfo(id, id, "test", "test", "me@here", fs.now());
    SetupJobStage.run(job, info, RequireEmpty.NOTHING, OverwriteConflict.WAIT, LEASE);
    return job;
  }

  private static void task(
      SimulatedJobs fs, String job, TaskAttempt attempt, String file, int bytes)
      throws IOException {
    Job seen = Job.of(fs, SimulatedJobs.OUT, job);
    fs.write(seen, attempt, file, bytes);
    var unused = CommitTaskStage.run(seen, attempt, fs.now());
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false));
  }

  private Set<String> files() throws IOException {
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    return new JobPoolCheck(cluster).tree().keySet();
  }

  @ParameterizedTest
  @ValueSource(longs = {-9, -1, 1, 9})
  void theLastAttemptOfATaskIsTheOneThatCameLast(long hours) throws IOException {
    Job job = setUp(right, "j");
    task(at("first", NOW + hours * HOUR), "j", SimulatedJobs.attempt(0, 0), "a", 110);
    task(at("second", NOW - hours * HOUR), "j", SimulatedJobs.attempt(0, 1), "b", 130);
    commit(job);
    assertThat(files()).contains("b").doesNotContain("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {-9, -1, 0})
  void aJobWhoseClockIsBehindLeavesOthersAlone(long hours) throws IOException {
    Job first = setUp(right, "first");
    task(right, "first", SimulatedJobs.attempt(0, 0), "a", 110);
    SimulatedJobs behind = at("behind", NOW + hours * HOUR);
    Job second = setUp(behind, "second");
    task(behind, "second", SimulatedJobs.attempt(0, 0), "b", 130);
    commit(second);
    commit(first);
    assertThat(files()).contains("a", "b", "old");
  }

  @Test
  void whoIsTakenForDeadByAClockAheadIsToldAndLosesNothingOfOthers() throws IOException {
    Job first = setUp(right, "first");
    task(right, "first", SimulatedJobs.attempt(0, 0), "a", 110);
    SimulatedJobs ahead = at("ahead", NOW + 9 * HOUR);
    Job second = setUp(ahead, "second");
    task(ahead, "second", SimulatedJobs.attempt(0, 0), "b", 130);

    assertThatThrownBy(() -> task(right, "first", SimulatedJobs.attempt(1, 0), "c", 110))
        .isInstanceOf(JobEndedException.class);
    assertThatThrownBy(() -> commit(first)).isInstanceOf(JobEndedException.class);
    commit(second);
    assertThat(files()).contains("b", "old").doesNotContain("a", "c");
  }

  @ParameterizedTest
  @ValueSource(longs = {-9, -2, 2, 9})
  void aCollectorWithAnotherClockTakesNothingThatIsVisible(long hours) throws IOException {
    StripedOutputStream open = right.openPlain("/out/being-written");
    open.write(new byte[250], 0, 250);
    Job job = setUp(right, "j");
    task(right, "j", SimulatedJobs.attempt(0, 0), "a", 110);

    long clock = NOW + hours * HOUR;
    at("collector", clock).collect(clock - HOUR);

    if (hours < 0) {
      open.close();
      commit(job);
      assertThat(files()).contains("old", "being-written", "a");
    } else {
      // What the writer had sent before it was taken for dead decides; a file is there whole.
      Throwable failure = catchThrowable(open::close);
      if (failure == null) {
        assertThat(files()).contains("being-written");
      } else {
        assertThat(failure).isInstanceOf(LedgerTakenOverException.class);
        assertThat(files()).doesNotContain("being-written");
      }
      assertThatThrownBy(() -> commit(job)).isInstanceOf(JobEndedException.class);
      assertThat(files()).contains("old").doesNotContain("a");
    }
  }
}
