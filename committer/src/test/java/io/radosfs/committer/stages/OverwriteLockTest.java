// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two jobs that overwrite the same at the same time: one commits after the other, both do. */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class OverwriteLockTest {

  /** Far longer than either takes. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  static Stream<Overwrite> overwrites() {
    return Stream.of(Overwrite.of(SimulatedJobs.OUT), Overwrite.WRITTEN_PARTITIONS);
  }

  private static void setUpInShards(SimulatedClient client) throws IOException {
    SimulatedJobs.shard(client, SimulatedJobs.OUT);
    setUp(client);
    byte[] head =
        client
            .open(SimulatedJobs.POOL, "")
            .read("out/", ReadOp.builder().omapByKeys(List.of("h")).build())
            .omap(0)
            .get("h");
    assertThat(new String(head, StandardCharsets.UTF_8)).contains("shards=2/");
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/p=1/old", 120);
    fs.create("/out/p=2/old", 120);
    for (String id : new String[] {"one", "other"}) {
      Job job = Job.of(fs, SimulatedJobs.OUT, id);
      SimulatedJobs.setUp(job);
      for (int task = 0; task < 2; task++) {
        fs.write(job, SimulatedJobs.attempt(task, 0), "p=" + (task + 1) + "/" + id, 250);
        var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(task, 0), 1);
      }
    }
  }

  private static Map<String, Long> after(String id) {
    return Map.of("p=1/" + id, 250L, "p=2/" + id, 250L, "_SUCCESS", -1L);
  }

  /**
   * Directories are worked on several at a time, so that any may be the first. Two that go in the
   * same order would never wait for each other, whether they take the lock or not.
   */
  private static DirectoryLoop order(String id) {
    return id.equals("one")
        ? DirectoryLoop.sequential()
        : new DirectoryLoop() {
          @Override
          public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
            List<T> backwards = new ArrayList<>(directories);
            Collections.reverse(backwards);
            DirectoryLoop.sequential().run(backwards, work);
          }
        };
  }

  private static void commit(SimulatedClient client, String id, Overwrite overwrite)
      throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client, SimulatedJobs.WORKING, LONGEST_WAIT, order(id));
    var unused =
        CommitJobStage.run(
            Job.of(fs, SimulatedJobs.OUT, id),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true));
  }

  private static Experiment experiment(Overwrite overwrite, Experiment.Action setUp) {
    return Experiment.named("two jobs take the overwrite lock, " + overwrite)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(setUp)
        .program("one", client -> commit(client, "one", overwrite))
        .program("other", client -> commit(client, "other", overwrite))
        .check(
            trial -> {
              JobPoolCheck check = new JobPoolCheck(trial.cluster());
              assertThat(trial.outcome("one").failure()).isNull();
              assertThat(trial.outcome("other").failure()).isNull();
              assertThat(check.tree()).isIn(after("one"), after("other"));
              check.assertNothingLeft();
            });
  }

  /** Without the lock each has soon prepared where the other wants to, and both fail. */
  @ParameterizedTest
  @MethodSource("overwrites")
  void bothCommitHoweverTheyMeet(Overwrite overwrite) {
    experiment(overwrite, OverwriteLockTest::setUp).randomInterleavings(20_261_121, 6);
  }

  /** The lock is taken in the head object, which has shards. */
  @ParameterizedTest
  @MethodSource("overwrites")
  void bothCommitToADirectoryWithShards(Overwrite overwrite) {
    experiment(overwrite, OverwriteLockTest::setUpInShards).randomInterleavings(20_261_122, 6);
  }

  /** The holder of the lock may die: whoever recovers its job ends the lock. */
  @ParameterizedTest
  @MethodSource("overwrites")
  void theHolderOfTheLockDies(Overwrite overwrite) {
    Experiment experiment =
        Experiment.named("the holder of the overwrite lock dies, " + overwrite)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(OverwriteLockTest::setUp)
            .program("one", client -> commit(client, "one", overwrite))
            .faults(Fault.ALL)
            .recover(
                client -> {
                  var unused = SimulatedJobs.endLongAfter(SimulatedJobs.job(client, "one"));
                  commit(client, "other", overwrite);
                })
            .check(
                trial -> {
                  JobPoolCheck check = new JobPoolCheck(trial.cluster());
                  assertThat(check.tree()).isEqualTo(after("other"));
                  check.assertNothingLeft();
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
