// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A deletion, while others put another directory where the one was that it has seen: it removes the
 * one or the other, or nothing, and each of them whole. Nobody's directory loses its files and
 * stays.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class RemovedAndMadeAgainTest {

  private static final long SEED = 20_261_123;

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold of the tree when both have ended. */
  interface Expectation {
    void check(SortedMap<String, String> tree, Trial trial);
  }

  private static void explore(
      String name, Step setUp, Step deletion, Step other, Expectation expectation) {
    Experiment race =
        Experiment.named(name)
            .setUp(client -> setUp.on(SimulatedMount.of(client)))
            .program("a", client -> deletion.on(SimulatedMount.of(client)))
            .program("b", client -> other.on(SimulatedMount.of(client)))
            .recover(client -> SimulatedMount.of(client).sweep())
            .checkBeforeRecovery(RemovedAndMadeAgainTest::checkPool)
            .check(
                trial -> {
                  SortedMap<String, String> tree = checkPool(trial);
                  if (!trial.outcome("a").crashed() && !trial.outcome("b").crashed()) {
                    assertThat(trial.outcome("a").failed()).as("%s", trial.outcome("a")).isFalse();
                    expectation.check(tree, trial);
                  }
                });
    race.everyInsertion();
    race.everyInsertionThenCrash();
    race.everyInsertionOfCrash();
    race.randomInterleavings(SEED, 300);
  }

  private static SortedMap<String, String> checkPool(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    return SimulatedMount.of(trial.observer()).tree();
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static Step deletes(String path) {
    return mount -> mount.namespace().delete(path(path), true);
  }

  /** Makes it again, whatever there was. */
  private static void makeAgain(SimulatedMount mount, String directory) throws IOException {
    mount.namespace().delete(path(directory), true);
    mount.write(directory + "/new", "n");
  }

  @Test
  void aDirectory() {
    explore(
        "deletion of a directory that is removed and made again",
        m -> m.write("/d/old", "o"),
        deletes("/d"),
        m -> makeAgain(m, "/d"),
        (tree, trial) -> assertThat(tree).isIn(Map.of(), Map.of("/d/", "", "/d/new", "n")));
  }

  @Test
  void anEmptyDirectoryWithoutAnIndex() {
    explore(
        "deletion of an empty directory that is removed and made again",
        m -> m.mkdirs("/d"),
        deletes("/d"),
        m -> makeAgain(m, "/d"),
        (tree, trial) -> assertThat(tree).isIn(Map.of(), Map.of("/d/", "", "/d/new", "n")));
  }

  @Test
  void aDirectoryBelow() {
    explore(
        "deletion of a tree in which a directory is removed and made again",
        m -> {
          m.write("/d/s/old", "o");
          m.write("/d/f", "f");
        },
        deletes("/d"),
        m -> makeAgain(m, "/d/s"),
        (tree, trial) ->
            assertThat(tree).isIn(Map.of(), Map.of("/d/", "", "/d/s/", "", "/d/s/new", "n")));
  }

  @Test
  void oneRenamedToItsPlace() {
    explore(
        "deletion of a directory that is renamed away, and another to its place",
        m -> {
          m.write("/d/one", "1");
          m.write("/e/two", "2");
        },
        deletes("/d"),
        m -> {
          m.namespace().rename(path("/d"), path("/x"), false);
          m.namespace().rename(path("/e"), path("/d"), false);
        },
        (tree, trial) -> {
          if (trial.outcome("b").succeeded()) {
            Map<String, String> first = Map.of("/x/", "", "/x/one", "1");
            Map<String, String> both = Map.of("/x/", "", "/x/one", "1", "/d/", "", "/d/two", "2");
            assertThat(tree).isIn(first, both);
          } else {
            assertThat(tree).isEqualTo(Map.of("/e/", "", "/e/two", "2"));
          }
        });
  }

  /** Whoever has not removed it does not say so. */
  @Test
  void oneRenamedAwayIsNotRemoved() {
    Experiment race =
        Experiment.named("deletion of a directory that is renamed away")
            .setUp(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.write("/d/one", "1");
                })
            .computation(
                "a", client -> SimulatedMount.of(client).namespace().delete(path("/d"), true))
            .computation(
                "b",
                client -> {
                  SimulatedMount.of(client).namespace().rename(path("/d"), path("/x"), false);
                  return true;
                })
            .check(
                trial -> {
                  SortedMap<String, String> tree = checkPool(trial);
                  boolean renamed = trial.outcome("b").succeeded();
                  assertThat(tree).isEqualTo(renamed ? Map.of("/x/", "", "/x/one", "1") : Map.of());
                  assertThat(trial.outcome("a").value(Boolean.class)).isEqualTo(!renamed);
                });
    race.everyInsertion();
    race.randomInterleavings(SEED, 300);
  }
}
