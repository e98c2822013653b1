// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.Report;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stops every step of the protocol at every operation, and recovers in each way there is. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class StoppingPointsTest {

  private static final long SEED = 20_261_122;
  private static final int INTERLEAVINGS = Boolean.getBoolean("radosfs.deep") ? 2_000 : 40;

  /**
   * A job: two tasks, and a second attempt of the first one that does not count.
   *
   * @param old what is there before
   * @param files what the job writes, by task
   */
  record Scenario(String name, Set<String> old, String[][] files, Overwrite overwrite) {

    SortedMap<String, Long> before() {
      SortedMap<String, Long> tree = new TreeMap<>();
      old.forEach(path -> tree.put(path, path.equals("_SUCCESS") ? -1L : 120L));
      return tree;
    }

    /** What is to be seen once the job is committed. */
    SortedMap<String, Long> after() {
      SortedMap<String, Long> tree = new TreeMap<>();
      old.stream().filter(path -> !replaces(path)).forEach(path -> tree.put(path, 120L));
      for (String[] task : files) {
        for (String path : task) {
          tree.put(path, 250L);
        }
      }
      tree.put("_SUCCESS", -1L);
      return tree;
    }

    private boolean replaces(String path) {
      FsPath full = full(path);
      boolean inWritten =
          Stream.of(files)
              .flatMap(Stream::of)
              .map(file -> full(file).parent())
              .anyMatch(
                  directory -> !directory.equals(SimulatedJobs.OUT) && full.isAtOrBelow(directory));
      return overwrite.replaced().stream().anyMatch(full::isAtOrBelow)
          || (overwrite.writtenPartitions() && inWritten);
    }

    static FsPath full(String path) {
      try {
        return JobPaths.resolve(SimulatedJobs.OUT, path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    CommitJobStage.Request request() {
      return new CommitJobStage.Request(
          Selection.exactly(Set.of(SimulatedJobs.attempt(0, 1), SimulatedJobs.attempt(1, 0))),
          overwrite,
          true);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String ELSEWHERE = JobPaths.ELSEWHERE + "/";

  static Stream<Scenario> scenarios() {
    return Stream.of(
        new Scenario(
            "append to one directory",
            Set.of("old"),
            new String[][] {{"part-0"}, {"part-1"}},
            Overwrite.NOTHING),
        new Scenario(
            "append to several directories",
            Set.of("old", "_SUCCESS", "p=1/old"),
            new String[][] {{"p=1/part-0", "p=2/part-0"}, {"p=3/q=1/part-1", "part-1"}},
            Overwrite.NOTHING),
        new Scenario(
            "static overwrite",
            Set.of("_SUCCESS", "part-0", "p=1/a", "p=1/q=1/b", "p=2/q=2/d"),
            new String[][] {{"part-0", "p=1/a"}, {"p=3/part-1"}},
            Overwrite.of(SimulatedJobs.OUT)),
        new Scenario(
            "dynamic overwrite",
            Set.of("top", "p=1/a", "p=2/b"),
            new String[][] {{"p=1/part-0"}, {"p=3/part-1"}},
            new Overwrite(Set.of(), true)),
        new Scenario(
            "append elsewhere",
            Set.of("p=1/old", ELSEWHERE + "loc/old"),
            new String[][] {
              {"p=1/part-0", ELSEWHERE + "loc/part-0"}, {ELSEWHERE + "new/deep/part-1"}
            },
            Overwrite.NOTHING),
        new Scenario(
            "overwrite elsewhere",
            Set.of("p=1/a", ELSEWHERE + "loc/a", ELSEWHERE + "gone/b", ELSEWHERE + "gone/c/d"),
            new String[][] {{"p=2/part-0", ELSEWHERE + "loc/part-0"}, {ELSEWHERE + "loc/part-1"}},
            new Overwrite(Set.of(new FsPath("gone")), true)));
  }

  static void setUp(SimulatedClient client, Scenario scenario) throws Exception {
    SimulatedJobs fs = new SimulatedJobs(client);
    for (String path : scenario.old()) {
      fs.create(Scenario.full(path).toString(), 120);
    }
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    int[][] attempts = {{0, 0}, {0, 1}, {1, 0}};
    for (int[] attempt : attempts) {
      for (String file : scenario.files()[attempt[0]]) {
        fs.write(job, SimulatedJobs.attempt(attempt[0], attempt[1]), file, 250);
      }
      if (attempt[0] + attempt[1] > 0) {
        var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(attempt[0], attempt[1]), 1);
      }
    }
  }

  static void commit(SimulatedClient client, Scenario scenario) throws Exception {
    var unused = CommitJobStage.run(SimulatedJobs.job(client, "j1"), scenario.request());
  }

  private static void abort(SimulatedClient client) throws Exception {
    var unused = AbortJobStage.run(SimulatedJobs.job(client, "j1"));
  }

  /** Whatever has happened: the old data or the new, nothing unreachable, nothing written twice. */
  static void oldOrNew(Trial trial, Scenario scenario) throws Exception {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    assertThat(check.tree()).isIn(scenario.before(), scenario.after());
    check.assertNothingUnreachable();
  }

  /** Long after, when no process of the job is left. */
  private static void collect(Trial trial) throws Exception {
    end(trial);
    new JobPoolCheck(trial.cluster()).assertNothingLeftButMarks();
  }

  private static void end(Trial trial) throws Exception {
    var unused = SimulatedJobs.endLongAfter(SimulatedJobs.job(trial.observer(), "j1"));
  }

  private static Experiment experiment(String name, Scenario scenario) {
    return Experiment.named(name + ": " + scenario)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> setUp(client, scenario))
        .checkBeforeRecovery(trial -> oldOrNew(trial, scenario))
        .faults(Fault.ALL);
  }

  private static void assertCommitted(Trial trial, Scenario scenario) throws Exception {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    assertThat(check.tree()).isEqualTo(scenario.after());
    // The record may stay: another driver may yet write the report.
    check.assertNothingUnreachable();
    end(trial);
    check.assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void commitJobIsFinishedByRepeatingIt(Scenario scenario) {
    report(
        experiment("commitJob, then again", scenario)
            .program("driver", client -> commit(client, scenario))
            .recover(client -> commit(client, scenario))
            .check(trial -> assertCommitted(trial, scenario))
            .everyStoppingPoint());
  }

  /** By what an OSD answers that takes a write up again: a commit may fail, but not lie. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void whatWasAppliedIsAnsweredByAnError(Scenario scenario) {
    report(
        experiment("commitJob, wrong answers", scenario)
            .program("driver", client -> commit(client, scenario))
            .writesOnly()
            .faults(AppliedErrors.FAULTS)
            .checkBeforeRecovery(
                trial -> {
                  oldOrNew(trial, scenario);
                  Outcome outcome = trial.outcome("driver");
                  if (outcome.succeeded() || !AppliedErrors.saidUnknown(outcome)) {
                    assertThat(new JobPoolCheck(trial.cluster()).tree())
                        .as("%s", outcome)
                        .isEqualTo(outcome.succeeded() ? scenario.after() : scenario.before());
                  }
                })
            .recover(client -> commit(client, scenario))
            .check(
                trial -> {
                  // The commit is made, though what it has replaced may stay listed, or have been
                  // handed over to a collection, as where it was denied to delete it.
                  SimulatedMount collector = SimulatedMount.of(trial.cluster().client("collector"));
                  collector.sweep();
                  collector.collect();
                  assertCommitted(trial, scenario);
                })
            .everyStoppingPoint());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void commitJobIsTakenBackOrFinishedByAborting(Scenario scenario) {
    report(
        experiment("commitJob, then abortJob", scenario)
            .program("driver", client -> commit(client, scenario))
            .recover(StoppingPointsTest::abort)
            .check(
                trial -> {
                  oldOrNew(trial, scenario);
                  collect(trial);
                })
            .everyStoppingPoint());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void abortJobIsFinishedByRepeatingIt(Scenario scenario) {
    report(
        experiment("abortJob, then again", scenario)
            .program("driver", StoppingPointsTest::abort)
            .recover(StoppingPointsTest::abort)
            .check(
                trial -> {
                  JobPoolCheck check = new JobPoolCheck(trial.cluster());
                  assertThat(check.tree()).isEqualTo(scenario.before());
                  // The registration may stay, as nothing tells whether a record may yet come.
                  collect(trial);
                })
            .everyStoppingPoint());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void recoveryMayDieToo(Scenario scenario) {
    report(
        experiment("commitJob, its repetition, another", scenario)
            .program("driver", client -> commit(client, scenario))
            .recover(client -> commit(client, scenario))
            .check(trial -> assertCommitted(trial, scenario))
            .everyStoppingPointOfRecovery());
  }

  /** Both are told that it is committed, however far one is when the other has cleaned up. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void twoDriversCommitOneJob(Scenario scenario) {
    Experiment both =
        experiment("two drivers", scenario)
            .program("driver", client -> commit(client, scenario))
            .program("other", client -> commit(client, scenario))
            .recover(client -> commit(client, scenario))
            .check(
                trial -> {
                  for (String driver : List.of("driver", "other")) {
                    assertThat(trial.outcome(driver).failure()).as(driver).isNull();
                  }
                  JobPoolCheck check = new JobPoolCheck(trial.cluster());
                  assertThat(check.tree()).isEqualTo(scenario.after());
                  // The record may stay: another driver may yet write the report.
                  check.assertNothingUnreachable();
                  end(trial);
                  check.assertNothingLeft();
                });
    report(both.everyInsertion());
    report(both.randomInterleavings(SEED, INTERLEAVINGS));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void oneCommitsWhileAnotherAborts(Scenario scenario) {
    report(
        experiment("abort inserted", scenario)
            .program("driver", client -> commit(client, scenario))
            .program("other", StoppingPointsTest::abort)
            .recover(StoppingPointsTest::abort)
            .check(
                trial -> {
                  oldOrNew(trial, scenario);
                  assertThat(new JobPoolCheck(trial.cluster()).tree())
                      .isEqualTo(
                          trial.outcome("driver").succeeded()
                              ? scenario.after()
                              : scenario.before());
                  collect(trial);
                })
            .everyInsertion());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aTaskStopsAnywhereAndAnotherAttemptDoesItsWork(Scenario scenario) {
    report(
        Experiment.named("a task and its commit: " + scenario)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> setUp(client, scenario))
            .program(
                "task",
                client -> {
                  SimulatedJobs fs = new SimulatedJobs(client);
                  Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
                  fs.write(job, SimulatedJobs.attempt(0, 5), "part-x", 250);
                  var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 5), 1);
                })
            .faults(Fault.ALL)
            .checkBeforeRecovery(trial -> oldOrNew(trial, scenario))
            .recover(
                client -> {
                  SimulatedJobs fs = new SimulatedJobs(client);
                  Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
                  if (job.record().state().isPresent()) {
                    AbortTaskStage.run(job, SimulatedJobs.attempt(0, 5));
                  }
                  commit(client, scenario);
                })
            .check(
                trial -> {
                  JobPoolCheck check = new JobPoolCheck(trial.cluster());
                  assertThat(check.tree()).isEqualTo(scenario.after());
                  check.assertNothingUnreachable();
                  collect(trial);
                })
            .everyStoppingPoint());
  }

  /** What the later one commits stays, whole; where neither can commit, the old data does. */
  @Test
  void twoJobsOverwriteTheSame() {
    Set<String> old = Set.of("p=1/a", "p=2/b");
    Overwrite all = Overwrite.of(SimulatedJobs.OUT);
    for (Overwrite overwrite : List.of(all, Overwrite.WRITTEN_PARTITIONS)) {
      Scenario first =
          new Scenario("two overwrite", old, new String[][] {{"p=1/x"}, {"p=2/x"}}, overwrite);
      Scenario second =
          new Scenario("other", old, new String[][] {{"p=1/y"}, {"p=2/y"}}, overwrite);
      report(
          Experiment.named("two jobs overwrite, " + overwrite)
              .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
              .setUp(
                  client -> {
                    setUp(client, first);
                    Job other = SimulatedJobs.job(client, "j2");
                    SimulatedJobs.setUp(other);
                    SimulatedJobs fs = (SimulatedJobs) other.fs();
                    for (int task = 0; task < 2; task++) {
                      fs.write(other, SimulatedJobs.attempt(task, 0), second.files()[task][0], 250);
                      var unused = CommitTaskStage.run(other, SimulatedJobs.attempt(task, 0), 1);
                    }
                  })
              .program("driver", client -> commit(client, first))
              .program(
                  "other",
                  client -> {
                    CommitJobStage.Request request =
                        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true);
                    var unused = CommitJobStage.run(SimulatedJobs.job(client, "j2"), request);
                  })
              .recover(
                  client -> {
                    // Long after, when no process of either job is left.
                    for (String id : List.of("j1", "j2")) {
                      var unused = SimulatedJobs.endLongAfter(SimulatedJobs.job(client, id));
                    }
                  })
              .check(
                  trial -> {
                    JobPoolCheck check = new JobPoolCheck(trial.cluster());
                    boolean ours = trial.outcome("driver").succeeded();
                    boolean theirs = trial.outcome("other").succeeded();
                    if (ours && theirs) {
                      assertThat(check.tree()).isIn(first.after(), second.after());
                    } else if (ours || theirs) {
                      assertThat(check.tree()).isEqualTo((ours ? first : second).after());
                    } else {
                      // Each has prepared where the other wants to, and has waited for it.
                      assertThat(check.tree()).isEqualTo(first.before());
                      assertThat(trial.outcome("driver").toString()).contains("out//job/j2");
                      assertThat(trial.outcome("other").toString()).contains("out//job/j1");
                    }
                    check.assertNothingLeftButMarks();
                  })
              .everyInsertion());
    }
  }

  /** What is committed elsewhere stays, although what decided it goes. */
  @Test
  void theDestinationIsRemovedWhileItsJobCommitsElsewhere() {
    Scenario scenario =
        scenarios().filter(s -> s.name().equals("append elsewhere")).toList().get(0);
    report(
        Experiment.named("destination removed")
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> setUp(client, scenario))
            .program("driver", client -> commit(client, scenario))
            .program(
                "other",
                client -> {
                  boolean unused =
                      new SimulatedJobs(client).namespace().delete(SimulatedJobs.OUT, true);
                })
            .check(
                trial -> {
                  SortedMap<String, Long> expected = new TreeMap<>();
                  boolean committed = trial.outcome("driver").succeeded();
                  for (var file : (committed ? scenario.after() : scenario.before()).entrySet()) {
                    if (file.getKey().startsWith(ELSEWHERE)) {
                      expected.put(file.getKey(), file.getValue());
                    }
                  }
                  SortedMap<String, Long> found = new JobPoolCheck(trial.cluster()).tree();
                  found.keySet().removeIf(path -> !path.startsWith(ELSEWHERE));
                  assertThat(found).isEqualTo(expected);
                })
            .everyInsertion());
  }

  private static void report(Report report) {
    report.requireAtLeast(1);
  }
}
