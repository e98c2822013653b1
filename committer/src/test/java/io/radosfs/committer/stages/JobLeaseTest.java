// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A job that is set up takes drivers for dead soon. A task of such a job may still be writing a
 * long file: what it writes is led to until none can be left.
 */
class JobLeaseTest {

  private static final long NOW = Duration.ofDays(20_000).toMillis();
  private static final Duration LEASE = Duration.ofMinutes(20);
  private static final Duration HOUR = Duration.ofHours(1);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private Job setUp(String id, Duration after) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client(id), NOW + after.toMillis());
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    SetupJobStage.run(
        job,
        new JobInfo(id, id, "test", "test", "me@here", fs.now()),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.of(LEASE));
    return job;
  }

  @Test
  void whatATaskOfAnEndedJobStillWritesIsLedTo() throws IOException {
    Job ended = setUp("ended", Duration.ZERO);
    SimulatedClient client = cluster.client("task");
    SimulatedJobs task = new SimulatedJobs(client, NOW);
    StripedOutputStream out = task.open(ended, SimulatedJobs.attempt(0, 0), "a");
    out.write(new byte[30_000], 0, 30_000);

    assertThat(AbortJobStage.run(setUp("next", LEASE))).isEqualTo(AbortJobStage.Outcome.ABORTED);
    setUp("another", LEASE.multipliedBy(2));
    setUp("third", LEASE.multipliedBy(3));
    assertThat(ended.record().state()).contains(JobState.ABORTED);
    out.write(new byte[30_000], 0, 30_000);
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .anyMatch(name -> name.startsWith("out/a"));
    client.crash("killed with its executor");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));

    assertThat(AbortJobStage.run(setUp("last", LEASE.plus(HOUR))))
        .isEqualTo(AbortJobStage.Outcome.ABORTED);
    // The task may be writing on, for all that is known.
    assertThat(ended.record().state()).contains(JobState.ABORTED);
    setUp("after", LEASE.plus(HOUR.multipliedBy(2)));
    assertThat(ended.record().state()).isEmpty();
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("out/a"));
  }

  /** Its driver died long before; the heartbeats of the next one begin minutes later. */
  @Test
  void aJobThatIsGoneOnWithIsAliveAtOnce() throws IOException {
    Job job = setUp("job", Duration.ZERO);
    SimulatedJobs next =
        new SimulatedJobs(cluster.client("next"), NOW + LEASE.minusMillis(1).toMillis());
    Job resumed =
        SetupJobStage.resume(
            Job.of(next, SimulatedJobs.OUT, "job-2"),
            List.of(Job.of(next, SimulatedJobs.OUT, "job")),
            SimulatedJobs.info("job-2"),
            OverwriteConflict.WAIT,
            JobLease.of(LEASE));
    assertThat(resumed.id()).isEqualTo("job");
    setUp("other", LEASE);
    assertThat(job.record().state()).contains(JobState.RUNNING);
  }

  /** Its driver died, and it was ended; it is set up once more, and sees to others as any job. */
  private Job setUpAgain(JobInfo info, OverwriteConflict conflict) throws IOException {
    var ended = AbortJobStage.run(setUp("job", Duration.ZERO));
    assertThat(ended).isEqualTo(AbortJobStage.Outcome.ABORTED);
    SimulatedJobs next = new SimulatedJobs(cluster.client("next"), NOW + LEASE.toMillis());
    return SetupJobStage.resume(
        Job.of(next, SimulatedJobs.OUT, "job-2"),
        List.of(Job.of(next, SimulatedJobs.OUT, "job")),
        info,
        conflict,
        JobLease.of(LEASE));
  }

  @Test
  void aJobThatIsSetUpAgainEndsDeadOnes() throws IOException {
    Job dead = setUp("dead", Duration.ZERO);
    Job again = setUpAgain(SimulatedJobs.info("job-2"), OverwriteConflict.WAIT);
    assertThat(again.id()).isEqualTo("job-2");
    assertThat(dead.record().state()).isNotEqualTo(Optional.of(JobState.RUNNING));
  }

  @Test
  void aJobThatIsSetUpAgainFailsWhereAnotherOverwritesTheSame() throws IOException {
    JobInfo overwrites = SimulatedJobs.info("job-2").replacing(List.of("/out"));
    SimulatedJobs other = new SimulatedJobs(cluster.client("other"), NOW + LEASE.toMillis());
    SetupJobStage.run(
        Job.of(other, SimulatedJobs.OUT, "other"),
        new JobInfo("other", "other", "test", "test", "me@here", other.now())
            .replacing(List.of("/out")),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.of(LEASE));
    assertThatThrownBy(() -> setUpAgain(overwrites, OverwriteConflict.FAIL))
        .hasMessageContaining("other");
  }

  @Test
  void aDriverLivesWhoseLastHeartbeatsHaveFailed() throws IOException {
    Job job = setUp("job", Duration.ZERO);
    setUp("other", LEASE.minusMillis(1));
    assertThat(job.record().state()).contains(JobState.RUNNING);
    setUp("next", LEASE);
    assertThatThrownBy(
            () -> CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), NOW + HOUR.toMillis()))
        .isInstanceOf(JobEndedException.class);
  }
}
