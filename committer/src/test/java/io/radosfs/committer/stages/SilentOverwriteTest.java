// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.LoggedLines;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

/**
 * A driver was killed in its overwrite, and is started again before the other is taken for dead.
 */
class SilentOverwriteTest {

  private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
  private static final Duration TWO_BEATS = JobHeartbeats.PERIOD.multipliedBy(2);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private void setUp(String id, Duration after, String replaces, OverwriteConflict conflict)
      throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client(id), START.plus(after).toEpochMilli());
    JobInfo info = new JobInfo(id, id, "test", "test", "me@here", fs.now());
    SetupJobStage.run(
        Job.of(fs, SimulatedJobs.OUT, id),
        info.replacing(List.of(replaces)),
        RequireEmpty.NOTHING,
        conflict,
        JobLease.of(Duration.ofHours(1)));
  }

  private String warnings(Duration after, String replaces) {
    return LoggedLines.of(
        Level.WARN,
        List.of(OtherJobs.class.getName()),
        () -> setUp("next", after, replaces, OverwriteConflict.WAIT));
  }

  @Test
  void theNextOverwriteSaysAtOnceWhoIsInItsWay() throws IOException {
    setUp("killed", Duration.ZERO, "/out", OverwriteConflict.WAIT);
    assertThat(warnings(TWO_BEATS.plusMinutes(2), "/out/p=1"))
        .hasLineCount(1)
        .startsWith("WARN job next on /out replaces what job killed")
        .contains("12 minutes ago", "`radosfs jobs recover --force <URI> killed`");
  }

  @Test
  void oneWhoseDriverHasBeatenIsNotWarnedOf() throws IOException {
    setUp("alive", Duration.ZERO, "/out", OverwriteConflict.WAIT);
    assertThat(warnings(TWO_BEATS, "/out")).isEmpty();
  }

  @Test
  void oneThatReplacesSomethingElseIsNotWarnedOf() throws IOException {
    setUp("other", Duration.ZERO, "/out/p=2", OverwriteConflict.WAIT);
    assertThat(warnings(TWO_BEATS.plusMinutes(2), "/out/p=1")).isEmpty();
  }

  @Test
  void theConflictNamesTheLastHeartbeat() throws IOException {
    setUp("killed", Duration.ZERO, "/out", OverwriteConflict.WAIT);
    assertThatThrownBy(
            () -> setUp("next", TWO_BEATS.plusMinutes(2), "/out", OverwriteConflict.FAIL))
        .hasMessageContaining("last heartbeat 2026-11-29T12:00:00Z");
  }
}
