// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.upkeep.Restoration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An overwriting job that keeps what it replaces, stopped at every operation and recovered in each
 * way: readers in the middle of the old files finish, and in the end nothing is left.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class ReplacedByJobsTest {

  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final long DUE = SimulatedJobs.COLLECTING + KEPT.toMillis();
  private static final List<String> OLD = List.of("p=1/a", "p=2/b", "p=2/q=1/c");

  private final List<FileData> opened = new ArrayList<>();

  static Stream<Overwrite> overwrites() {
    return Stream.of(Overwrite.of(SimulatedJobs.OUT), Overwrite.WRITTEN_PARTITIONS);
  }

  private static SimulatedJobs client(SimulatedClient client, Duration kept) throws IOException {
    return at(client, SimulatedJobs.WORKING, kept);
  }

  private static SimulatedJobs at(SimulatedClient client, long now) throws IOException {
    return at(client, now, KEPT);
  }

  private static SimulatedJobs at(SimulatedClient client, long now, Duration kept)
      throws IOException {
    return new SimulatedJobs(client, now, Duration.ofMillis(20), new Retention(kept, () -> now));
  }

  private static Job job(SimulatedClient client, Duration kept) throws IOException {
    return Job.of(client(client, kept), SimulatedJobs.OUT, "j1");
  }

  private void setUp(SimulatedClient client) throws IOException {
    SimulatedJobs fs = client(client, KEPT);
    opened.clear();
    for (String old : OLD) {
      fs.create("/out/" + old, 120);
      Entry entry = fs.namespace().lookup(FsPath.parse("/out/" + old)).orElseThrow();
      opened.add(((Entry.OfFile) entry).data());
    }
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/new", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
  }

  private static void commit(SimulatedClient client, Overwrite overwrite) throws IOException {
    var unused =
        CommitJobStage.run(
            job(client, KEPT),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true));
  }

  private static SortedMap<String, Long> before() {
    SortedMap<String, Long> files = new TreeMap<>();
    OLD.forEach(path -> files.put(path, 120L));
    return files;
  }

  private static SortedMap<String, Long> after(Overwrite overwrite) {
    SortedMap<String, Long> files = new TreeMap<>(Map.of("p=1/new", 250L, "_SUCCESS", -1L));
    if (overwrite.writtenPartitions()) {
      files.putAll(Map.of("p=2/b", 120L, "p=2/q=1/c", 120L));
    }
    return files;
  }

  private void check(Trial trial, Overwrite overwrite) throws IOException {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    assertThat(check.tree()).isIn(before(), after(overwrite));
    check.assertNothingUnreachable();
    for (FileData old : opened) {
      assertThat(read(trial.observer(), old)).as("%s", old).hasSize(120);
    }
  }

  private static byte[] read(SimulatedClient client, FileData data) throws IOException {
    try (StripedInputStream in =
        new StripedInputStream(
            client.open(SimulatedJobs.POOL, ""),
            data.origin(),
            data,
            new BufferPool(1 << 20),
            StreamSettings.defaults())) {
      return in.readAllBytes();
    }
  }

  private void checkAllTheWay(Trial trial, Overwrite overwrite) throws IOException {
    check(trial, overwrite);
    collect(trial, SimulatedJobs.WORKING + KEPT.toMillis() - 1);
    check(trial, overwrite);
    collect(trial, DUE);
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    assertThat(check.tree()).isIn(before(), after(overwrite));
    check.assertNothingLeftButMarks();
  }

  /** What the job has replaced is made files again, and stays when the retention is over. */
  private void checkRestored(Trial trial, Overwrite overwrite) throws IOException {
    check(trial, overwrite);
    SimulatedClient client = trial.cluster().client("rescuer");
    SimulatedJobs fs = at(client, SimulatedJobs.WORKING);
    boolean committed = fs.namespace().lookup(FsPath.parse("/out/_SUCCESS")).isPresent();
    FsPath rescued = FsPath.parse("/rescued");
    fs.restoration().handOver(SimulatedJobs.OUT, Failures.END);
    for (Restoration.Kept kept : fs.restoration().kept(SimulatedJobs.OUT, Failures.END)) {
      FsPath target = rescued.resolve(kept.path().relativeTo(SimulatedJobs.OUT));
      fs.restoration().restore(kept, target);
    }
    Map<FsPath, byte[]> expected = new HashMap<>();
    for (FileData old : opened) {
      if (committed && !after(overwrite).containsKey(old.origin().relativeTo(SimulatedJobs.OUT))) {
        String below = old.origin().relativeTo(SimulatedJobs.OUT);
        expected.put(rescued.resolve(below), read(client, old));
      }
    }
    collect(trial, DUE);
    SimulatedJobs reader = at(trial.observer(), DUE);
    for (Map.Entry<FsPath, byte[]> file : expected.entrySet()) {
      Entry entry = reader.namespace().lookup(file.getKey()).orElseThrow();
      assertThat(read(trial.observer(), ((Entry.OfFile) entry).data())).isEqualTo(file.getValue());
    }
    assertThat(reader.namespace().lookup(rescued).isPresent()).isEqualTo(!expected.isEmpty());
    new JobPoolCheck(trial.cluster()).assertNothingUnreachable();
  }

  @ParameterizedTest
  @MethodSource("overwrites")
  void restored(Overwrite overwrite) {
    Experiment experiment =
        experiment("replaced data is restored after commitJob", overwrite)
            .recover(client -> commit(client, overwrite))
            .check(trial -> checkRestored(trial, overwrite));
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** What gc does, which then knows of all processes of the job that they are gone. */
  private static void collect(Trial trial, long now) throws IOException {
    at(trial.cluster().client("gc"), now).collect(now);
  }

  private Experiment experiment(String name, Overwrite overwrite) {
    return Experiment.named(name + ", " + overwrite)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(this::setUp)
        .program("driver", client -> commit(client, overwrite))
        .checkBeforeRecovery(trial -> check(trial, overwrite))
        .check(trial -> checkAllTheWay(trial, overwrite))
        .faults(Fault.ALL);
  }

  @ParameterizedTest
  @MethodSource("overwrites")
  void committedAgain(Overwrite overwrite) {
    Experiment experiment =
        experiment("replaced data is kept by commitJob, then again", overwrite)
            .recover(client -> commit(client, overwrite));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("overwrites")
  void aborted(Overwrite overwrite) {
    Experiment experiment =
        experiment("replaced data is kept by commitJob, then abortJob", overwrite)
            .recover(
                client -> {
                  var unused = AbortJobStage.run(job(client, KEPT));
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("overwrites")
  void collected(Overwrite overwrite) {
    Experiment experiment =
        experiment("replaced data is kept by commitJob, then gc", overwrite)
            .recover(client -> at(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** Operations of a commit, and data objects that are there after it. */
  private int ops(Duration kept, Overwrite overwrite) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    setUp(cluster.client("setup"));
    SimulatedClient driver = cluster.client("driver");
    var unused =
        CommitJobStage.run(
            job(driver, kept),
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true));
    return driver.ops();
  }

  @Test
  void aJobThatReplacesNothingDoesNothingForIt() throws IOException {
    assertThat(ops(KEPT, Overwrite.NOTHING)).isEqualTo(ops(Duration.ZERO, Overwrite.NOTHING));
  }

  /** Files of 120 bytes are two objects each: a line for them takes the place of their removal. */
  @Test
  void keepingCostsNoMoreThanRemoving() throws IOException {
    assertThat(ops(KEPT, Overwrite.of(SimulatedJobs.OUT)))
        .isLessThan(ops(Duration.ZERO, Overwrite.of(SimulatedJobs.OUT)));
  }
}
