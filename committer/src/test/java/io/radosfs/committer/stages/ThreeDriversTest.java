// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three jobs that commit to one destination at the same time, interleaved by chance. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class ThreeDriversTest {

  private static final long SEED = 20_261_121;
  private static final int RUNS = Boolean.getBoolean("radosfs.deep") ? 5_000 : 150;
  private static final List<String> JOBS = List.of("j1", "j2", "j3");

  /** Each job writes one file to each of these, by its own name or by the same one. */
  private static final List<String> PLACES = List.of("", "p=1/", "p=2/");

  private static void prepare(SimulatedClient client) throws Exception {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.create("/out/p=1/old", 120);
    fs.create("/out/p=3/old", 120);
    for (String id : JOBS) {
      Job job = Job.of(fs, SimulatedJobs.OUT, id);
      SimulatedJobs.setUp(job);
      for (String place : PLACES) {
        fs.write(job, SimulatedJobs.attempt(0, 0), place + "part-" + id, 250);
      }
      var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
    }
  }

  private static void commit(SimulatedClient client, String id, Overwrite overwrite)
      throws Exception {
    CommitJobStage.Request request =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true);
    var unused = CommitJobStage.run(SimulatedJobs.job(client, id), request);
  }

  private static Experiment experiment(String name, List<Overwrite> overwrites) {
    Experiment experiment =
        Experiment.named(name)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(ThreeDriversTest::prepare)
            .checkBeforeRecovery(
                trial -> new JobPoolCheck(trial.cluster()).assertNothingUnreachable())
            .recover(
                client -> {
                  for (String id : JOBS) {
                    var unused = SimulatedJobs.endLongAfter(SimulatedJobs.job(client, id));
                  }
                });
    for (int i = 0; i < JOBS.size(); i++) {
      String id = JOBS.get(i);
      Overwrite overwrite = overwrites.get(i);
      experiment.program(id, client -> commit(client, id, overwrite));
    }
    return experiment;
  }

  /** The files of a job that are there. */
  private static Set<String> of(String job, SortedMap<String, Long> tree) {
    Set<String> files = new java.util.TreeSet<>(tree.keySet());
    files.removeIf(file -> !file.endsWith("part-" + job));
    return files;
  }

  @Test
  void threeThatAppendAllDo() {
    experiment(
            "three jobs append", List.of(Overwrite.NOTHING, Overwrite.NOTHING, Overwrite.NOTHING))
        .check(
            trial -> {
              SortedMap<String, Long> expected = new TreeMap<>();
              expected.put("_SUCCESS", -1L);
              expected.put("p=1/old", 120L);
              expected.put("p=3/old", 120L);
              for (String id : JOBS) {
                assertThat(trial.outcome(id).succeeded()).as("%s", trial.outcome(id)).isTrue();
                PLACES.forEach(place -> expected.put(place + "part-" + id, 250L));
              }
              JobPoolCheck check = new JobPoolCheck(trial.cluster());
              assertThat(check.tree()).isEqualTo(expected);
              check.assertNothingLeftButMarks();
            })
        .randomInterleavings(SEED, RUNS);
  }

  /** Of those that overwrite, one is whole in the end; no job that failed shows anything. */
  @Test
  void twoThatOverwriteAndOneThatAppends() {
    experiment(
            "two jobs overwrite and one appends",
            List.of(
                Overwrite.of(SimulatedJobs.OUT),
                Overwrite.of(SimulatedJobs.OUT),
                Overwrite.NOTHING))
        .check(ThreeDriversTest::checkOverwritten)
        .randomInterleavings(SEED, RUNS);
  }

  private static void checkOverwritten(Trial trial) throws Exception {
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    SortedMap<String, Long> tree = check.tree();
    boolean overwritten = false;
    boolean whole = false;
    for (String id : JOBS) {
      if (!trial.outcome(id).succeeded()) {
        assertThat(of(id, tree)).as("what %s shows, which failed", id).isEmpty();
      } else if (!id.equals("j3")) {
        overwritten = true;
        whole |= of(id, tree).size() == PLACES.size();
      }
    }
    assertThat(whole).isEqualTo(overwritten);
    boolean old = tree.containsKey("p=1/old");
    assertThat(tree.containsKey("p=3/old")).isEqualTo(old);
    assertThat(old).isEqualTo(!overwritten);
    check.assertNothingLeftButMarks();
  }
}
