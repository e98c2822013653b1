// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs that are set up where many others have left something over, or are alive: it costs no more
 * than among few, and all that was left over is collected in time.
 */
class SetupAmongManyTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  /** How the ids of jobs come about. */
  record Ids(String name, IntFunction<String> id) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Ids> ids() {
    return Stream.of(
        new Ids("random", n -> new UUID(mixed(n), mixed(-n)).toString()),
        new Ids("growing", n -> String.format("job_20261123%04d_0001", n)));
  }

  private static long mixed(int n) {
    return (n + 1) * 0x9E3779B97F4A7C15L;
  }

  private SimulatedJobs fs(String client, long now) throws IOException {
    return new SimulatedJobs(cluster.client(client), now);
  }

  /** Jobs whose drivers died before they had done anything, long ago or just now. */
  private void register(Ids ids, int from, int count, long now) throws IOException {
    SimulatedJobs fs = fs("others", now);
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    for (int n = from; n < from + count; n++) {
      Job job = Job.of(fs, SimulatedJobs.OUT, ids.id().apply(n));
      fs.transactions().register(job.registration());
      job.record()
          .create(new JobInfo(job.id(), job.id(), "test", "test", "me@here", now), () -> {});
    }
  }

  private int opsOfSetUp(String id, OverwriteConflict conflict) throws IOException {
    SimulatedClient client = cluster.client("driver-" + id);
    Job job = Job.of(new SimulatedJobs(client, SimulatedJobs.COLLECTING), SimulatedJobs.OUT, id);
    int before = client.ops();
    SetupJobStage.run(
        job, SimulatedJobs.info(id), RequireEmpty.NOTHING, conflict, SimulatedJobs.LEASE);
    return client.ops() - before;
  }

  /** {@code commit-protocol.md} and {@link SetupJobStage} have this figure. */
  @Test
  void costsFourOperationsWhereTheDestinationHasFilesAndNoOtherJob() throws IOException {
    fs("user", SimulatedJobs.COLLECTING).create("/out/there", 1);
    assertThat(opsOfSetUp("one", OverwriteConflict.WAIT) - opsOfMkdirs()).isEqualTo(4);
  }

  private int opsOfMkdirs() throws IOException {
    SimulatedClient client = cluster.client("mkdirs");
    SimulatedJobs fs = new SimulatedJobs(client, SimulatedJobs.COLLECTING);
    int before = client.ops();
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    return client.ops() - before;
  }

  private long records() {
    return cluster.objects(SimulatedJobs.POOL, "").keySet().stream()
        .filter(name -> name.contains("//job/"))
        .count();
  }

  private static SetupAmongManyTest among(Ids ids, int many, long now) throws IOException {
    SetupAmongManyTest place = new SetupAmongManyTest();
    place.register(ids, 0, many, now);
    return place;
  }

  @ParameterizedTest
  @MethodSource("ids")
  void leftOverJobsCostTheSameHoweverMany(Ids ids) throws IOException {
    String id = ids.id().apply(5_000);
    int few = among(ids, 10, SimulatedJobs.WORKING).opsOfSetUp(id, OverwriteConflict.WAIT);
    int many = among(ids, 3_000, SimulatedJobs.WORKING).opsOfSetUp(id, OverwriteConflict.WAIT);
    System.out.printf("setupJob among dead jobs of %s ids: %d operations%n", ids, many);
    assertThat(many).isEqualTo(few);
  }

  @ParameterizedTest
  @MethodSource("ids")
  void liveJobsCostTheSameHoweverMany(Ids ids) throws IOException {
    String id = ids.id().apply(5_000);
    int few = among(ids, 10, SimulatedJobs.COLLECTING).opsOfSetUp(id, OverwriteConflict.WAIT);
    int many = among(ids, 3_000, SimulatedJobs.COLLECTING).opsOfSetUp(id, OverwriteConflict.WAIT);
    System.out.printf("setupJob among live jobs of %s ids: %d operations%n", ids, many);
    assertThat(many).isEqualTo(few).isLessThanOrEqualTo(16);
  }

  /** Also where as many others, older and newer, are alive all the while. */
  @ParameterizedTest
  @MethodSource("ids")
  void allThatWasLeftOverIsCollectedInTime(Ids ids) throws IOException {
    int some = 40;
    register(ids, 0, some, SimulatedJobs.COLLECTING);
    register(ids, some, some, SimulatedJobs.WORKING);
    register(ids, 2 * some, some, SimulatedJobs.COLLECTING);
    SimulatedJobs fs = fs("driver", SimulatedJobs.COLLECTING);
    int n = 3 * some;
    while (records() > 2 * some) {
      Job job = Job.of(fs, SimulatedJobs.OUT, ids.id().apply(n++));
      SetupJobStage.run(
          job,
          SimulatedJobs.info(job.id()),
          RequireEmpty.NOTHING,
          OverwriteConflict.WAIT,
          SimulatedJobs.LEASE);
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
      assertThat(n).as("jobs set up until all was collected").isLessThan(200);
    }
    for (int alive : new int[] {0, some - 1, 2 * some, 3 * some - 1}) {
      assertThat(fs.record(SimulatedJobs.OUT, ids.id().apply(alive)).state())
          .contains(JobState.RUNNING);
    }
  }

  /** Wherever it is among the others, and whoever of these has ended. */
  @ParameterizedTest
  @MethodSource("ids")
  void aJobThatReplacesTheSameIsFoundAmongMany(Ids ids) throws IOException {
    register(ids, 0, 1_500, SimulatedJobs.WORKING);
    SimulatedJobs fs = fs("others", SimulatedJobs.COLLECTING);
    JobInfo replacing = replacing(ids.id().apply(1_500), SimulatedJobs.COLLECTING);
    Job alive = Job.of(fs, SimulatedJobs.OUT, replacing.jobId());
    fs.transactions().register(alive.registration());
    alive.record().create(replacing, () -> {});
    register(ids, 1_501, 1_500, SimulatedJobs.WORKING);
    Job job = Job.of(fs, SimulatedJobs.OUT, ids.id().apply(5_000));
    assertThatThrownBy(() -> setUpToReplace(job))
        .hasMessageContaining("replaces what job " + alive.id());
    assertThat(job.record().state()).isEmpty();
  }

  /** It is in nobody's way any more, though others are to be looked after as well. */
  @Test
  void aDeadJobThatReplacesTheSameIsEnded() throws IOException {
    Ids ids = ids().findFirst().orElseThrow();
    register(ids, 0, 100, SimulatedJobs.WORKING);
    SimulatedJobs fs = fs("others", SimulatedJobs.WORKING);
    JobInfo replacing = replacing(ids.id().apply(100), SimulatedJobs.WORKING);
    Job dead = Job.of(fs, SimulatedJobs.OUT, replacing.jobId());
    fs.transactions().register(dead.registration());
    dead.record().create(replacing, () -> {});
    Job job =
        Job.of(fs("driver", SimulatedJobs.COLLECTING), SimulatedJobs.OUT, ids.id().apply(5_000));
    setUpToReplace(job);
    assertThat(job.record().state()).contains(JobState.RUNNING);
    assertThat(cluster.objects(SimulatedJobs.POOL, ""))
        .doesNotContainKey(ObjectNames.job(SimulatedJobs.OUT, dead.id()));
  }

  private static JobInfo replacing(String id, long started) {
    return new JobInfo(id, id, "test", "test", "me@here", started)
        .replacing(List.of(SimulatedJobs.OUT.toString()));
  }

  private static void setUpToReplace(Job job) throws IOException {
    SetupJobStage.run(
        job,
        replacing(job.id(), SimulatedJobs.COLLECTING),
        RequireEmpty.NOTHING,
        OverwriteConflict.FAIL,
        SimulatedJobs.LEASE);
  }
}
