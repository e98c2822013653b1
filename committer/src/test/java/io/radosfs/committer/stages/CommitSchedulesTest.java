// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.StoppingPointsTest.Scenario;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commits of jobs over 1, 2 and 20 directories, of each kind, that stop at an operation or lose an
 * answer, recovered in each way there is; and two such jobs at the same time. Those over 20
 * directories are sampled, unless with {@code -Pdeep}.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class CommitSchedulesTest {

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");
  private static final long SEED = 20_261_121;

  /** Of the stopping points over 20 directories one in so many is tried. */
  private static final int STRIDE = DEEP ? 1 : 11;

  private static final int INTERLEAVINGS = DEEP ? 400 : 12;
  private static final AtomicInteger EXPLORED = new AtomicInteger();

  /** How a job that another has left is brought to its end. */
  enum Completion {
    /** By the engine: commitJob once more. */
    COMMIT_AGAIN {
      @Override
      void run(SimulatedClient client, Scenario scenario) throws Exception {
        StoppingPointsTest.commit(client, scenario);
      }
    },
    /** By a person: {@code radosfs jobs recover}. */
    RECOVER {
      @Override
      void run(SimulatedClient client, Scenario scenario) throws Exception {
        recoverAll(client, SimulatedJobs.COLLECTING, SimulatedJobs.WORKING);
      }
    },
    /** By the next job on the destination, which then commits a file of its own. */
    NEXT_JOB {
      @Override
      void run(SimulatedClient client, Scenario scenario) throws Exception {
        SimulatedJobs fs = new SimulatedJobs(client, SimulatedJobs.COLLECTING);
        Job next = Job.of(fs, SimulatedJobs.OUT, "next");
        SetupJobStage.run(
            next,
            SimulatedJobs.info("next"),
            RequireEmpty.NOTHING,
            OverwriteConflict.WAIT,
            SimulatedJobs.LEASE);
        var unused = AbortJobStage.run(next);
      }
    };

    abstract void run(SimulatedClient client, Scenario scenario) throws Exception;
  }

  /**
   * What {@code radosfs jobs recover} does.
   *
   * @param now its clock
   * @param before jobs that had a heartbeat since then are let alone
   */
  private static void recoverAll(SimulatedClient client, long now, long before) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client, now);
    for (Map.Entry<Registration, State> registered :
        fs.transactions().registered(SimulatedJobs.OUT, Failures.END).entrySet()) {
      Job job = Job.of(fs, SimulatedJobs.OUT, registered.getKey().id());
      var unused = RecoverJobStage.run(job, registered.getValue(), Silence.since(before));
    }
  }

  private static final int[] DIRECTORIES = {1, 2, 20};

  /** A job that writes a file into each of so many directories, of which every other one is old. */
  private static Scenario scenario(int directories, String kind, String suffix) {
    Set<String> old = new TreeSet<>(Set.of("_SUCCESS"));
    List<List<String>> files = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < directories; i++) {
      String directory = directories == 1 ? "" : "p=" + i + "/";
      if (i % 2 == 0) {
        old.add(directory + "old");
      }
      files.get(i % 2).add(directory + "part-" + i + suffix);
    }
    files.get(1).add((directories == 1 ? "" : "p=0/") + "more" + suffix);
    Overwrite overwrite =
        switch (kind) {
          case "append" -> Overwrite.NOTHING;
          case "static overwrite" -> Overwrite.of(SimulatedJobs.OUT);
          default -> Overwrite.WRITTEN_PARTITIONS;
        };
    return new Scenario(
        kind + ", " + directories + " directories",
        old,
        files.stream().map(task -> task.toArray(String[]::new)).toArray(String[][]::new),
        overwrite);
  }

  static Stream<Scenario> scenarios() {
    List<Scenario> all = new ArrayList<>();
    for (int directories : DIRECTORIES) {
      for (String kind : List.of("append", "static overwrite", "dynamic overwrite")) {
        all.add(scenario(directories, kind, ""));
      }
    }
    return all.stream();
  }

  static Stream<Arguments> recoveries() {
    return scenarios()
        .flatMap(
            scenario -> Stream.of(Completion.values()).map(way -> Arguments.of(scenario, way)));
  }

  @ParameterizedTest
  @MethodSource("recoveries")
  void aCommitThatStopsAnywhereIsBroughtToItsEnd(Scenario scenario, Completion way) {
    Experiment experiment =
        Experiment.named("commitJob, then " + way + ": " + scenario)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> StoppingPointsTest.setUp(client, scenario))
            .program("driver", client -> StoppingPointsTest.commit(client, scenario))
            .checkBeforeRecovery(trial -> StoppingPointsTest.oldOrNew(trial, scenario))
            .recover(client -> way.run(client, scenario))
            .check(trial -> check(trial, scenario, way));
    int stride = scenario.files()[0].length > 2 ? STRIDE : 1;
    int trials = 0;
    for (int fault = 0; fault < Fault.ALL.size(); fault++) {
      int n = 1 + fault % stride;
      while (experiment.stopAt(n, Fault.ALL.get(fault))) {
        trials++;
        n += stride;
      }
    }
    explored(trials, "stopping points of commitJob, then " + way + ": " + scenario);
  }

  private static void explored(int trials, String what) {
    assertThat(trials).isPositive();
    EXPLORED.addAndGet(trials);
    System.out.printf("explored %d %s%n", trials, what);
  }

  @AfterAll
  static void tellHowMany() {
    System.out.printf("explored %d schedules of commitJob in all%n", EXPLORED.get());
  }

  private static void check(Trial trial, Scenario scenario, Completion way) throws Exception {
    // I5, I8, I1 and I4: old or new, all of it; each object written once, and led to by something.
    StoppingPointsTest.oldOrNew(trial, scenario);
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    SortedMap<String, Long> tree = check.tree();
    if (way == Completion.COMMIT_AGAIN || trial.outcome("driver").succeeded()) {
      assertThat(tree).isEqualTo(scenario.after()); // I7
    }
    // I6: what comes late is refused, whatever has become of the job.
    SimulatedJobs fs = new SimulatedJobs(trial.cluster().client("zombie"));
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    assertThatThrownBy(() -> fs.write(job, SimulatedJobs.attempt(0, 0), "late", 10))
        .isInstanceOf(JobEndedException.class);
    assertThat(job.record().state())
        .matches(
            state ->
                state.isEmpty()
                    || state.get() == JobState.ABORTED
                    || state.get() == JobState.COMMITTED);
    // Long after, nothing but the visible files is left, and these are as they were.
    recoverAll(
        trial.cluster().client("janitor"),
        3 * SimulatedJobs.COLLECTING,
        2 * SimulatedJobs.COLLECTING);
    check.assertNothingLeftButMarks();
    assertThat(check.tree()).isEqualTo(tree);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void twoJobsAtTheSameTime(Scenario first) {
    int directories = first.files()[0].length + first.files()[1].length - 1;
    String kind = first.name().substring(0, first.name().indexOf(','));
    Scenario second = scenario(directories, kind, "-of-j2");
    Experiment experiment =
        Experiment.named("two jobs, " + first)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(
                client -> {
                  StoppingPointsTest.setUp(client, first);
                  setUpSecond(client, second);
                })
            .program("driver", client -> StoppingPointsTest.commit(client, first))
            .program("other", client -> commitSecond(client, second))
            .checkBeforeRecovery(
                trial -> new JobPoolCheck(trial.cluster()).assertNothingUnreachable())
            .recover(
                client -> {
                  // Long after, when no process of either job is left.
                  recoverAll(client, SimulatedJobs.COLLECTING, SimulatedJobs.COLLECTING);
                  recoverAll(client, SimulatedJobs.COLLECTING, SimulatedJobs.COLLECTING);
                })
            .check(trial -> checkTwo(trial, first, second));
    int trials = experiment.randomInterleavings(SEED, INTERLEAVINGS).trials();
    if (DEEP || directories < 20) {
      trials += experiment.everyInsertion().trials();
    }
    explored(trials, "interleavings of two jobs, " + first);
  }

  private static void setUpSecond(SimulatedClient client, Scenario second) throws Exception {
    Job other = SimulatedJobs.job(client, "j2");
    SimulatedJobs fs = (SimulatedJobs) other.fs();
    SimulatedJobs.setUp(other);
    for (int task = 0; task < 2; task++) {
      for (String file : second.files()[task]) {
        fs.write(other, SimulatedJobs.attempt(task, 0), file, 250);
      }
      var unused = CommitTaskStage.run(other, SimulatedJobs.attempt(task, 0), 1);
    }
  }

  private static void commitSecond(SimulatedClient client, Scenario second) throws Exception {
    CommitJobStage.Request request =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, second.overwrite(), true);
    var unused = CommitJobStage.run(SimulatedJobs.job(client, "j2"), request);
  }

  private static void checkTwo(Trial trial, Scenario first, Scenario second) throws Exception {
    boolean ours = trial.outcome("driver").succeeded();
    boolean theirs = trial.outcome("other").succeeded();
    SortedMap<String, Long> both = new TreeMap<>(first.after());
    both.putAll(second.after());
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    if (first.overwrite().isNothing()) {
      assertThat(ours && theirs)
          .as("%s, %s", trial.outcome("driver"), trial.outcome("other"))
          .isTrue();
      assertThat(check.tree()).isEqualTo(both);
    } else if (ours && theirs) {
      // The later one replaces what the first one wrote, but for what is not in a partition.
      assertThat(check.tree()).isIn(first.after(), second.after(), both);
    } else {
      assertThat(check.tree())
          .isEqualTo(ours ? first.after() : theirs ? second.after() : first.before());
    }
    check.assertNothingLeftButMarks();
  }
}
