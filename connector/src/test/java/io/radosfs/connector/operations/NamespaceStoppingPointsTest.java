// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.simulated.LostStripe;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Stops each change of the namespace at every RADOS operation and loses every answer: a reader sees
 * the tree as before or as after, before recovery and after it, and nothing leaks (I1 to I5).
 */
@Execution(ExecutionMode.CONCURRENT)
class NamespaceStoppingPointsTest {

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  private static final String LONG = "more than one stripe of it";

  /** A file system, as this client has it. */
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  Experiment experiment(
      String name, Step setUp, Step change, Map<String, String> before, Map<String, String> after) {
    return Experiment.named(name)
        .setUp(client -> setUp.on(mount(client)))
        .program("a", client -> change.on(mount(client)))
        .recover(client -> mount(client).sweep())
        .checkBeforeRecovery(trial -> check(trial, before, after))
        .check(trial -> check(trial, before, after));
  }

  private void check(Trial trial, Map<String, String> before, Map<String, String> after)
      throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    SortedMap<String, String> tree = mount(trial.observer()).tree();
    Outcome outcome = trial.outcome("a");
    if (outcome.crashed()) {
      assertThat(tree).isIn(before, after);
    } else if (AppliedErrors.failed(trial, "a") && AppliedErrors.saidUnknown(outcome)) {
      assertThat(tree).isIn(before, after);
    } else if (AppliedErrors.failed(trial, "a") || LostStripe.ended(outcome)) {
      assertThat(tree).as("%s", outcome).isEqualTo(before);
    } else {
      assertThat(outcome.failed()).as("%s", outcome).isFalse();
      assertThat(tree).isEqualTo(after);
    }
  }

  void explore(Experiment experiment) {
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
    // Last, as these faults stay set.
    assertThat(experiment.writesOnly().faults(AppliedErrors.FAULTS).everyStoppingPoint().complete())
        .isTrue();
  }

  @Test
  void create() {
    explore(
        experiment(
            "create",
            m -> m.write("/d/old", "old"),
            m -> m.write("/d/new", LONG),
            Map.of("/d/", "", "/d/old", "old"),
            Map.of("/d/", "", "/d/old", "old", "/d/new", LONG)));
  }

  /** The second file in a directory is made without a look; it and the first are two changes. */
  @Test
  void createWithoutALook() {
    Map<String, String> both = Map.of("/d/", "", "/d/a", "a", "/d/new", "n");
    Experiment.Check check =
        trial -> {
          PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
          SortedMap<String, String> tree = SimulatedMount.of(trial.observer()).tree();
          Outcome outcome = trial.outcome("a");
          if (outcome.crashed() || AppliedErrors.failed(trial, "a")) {
            assertThat(tree).isIn(Map.of("/d/", ""), Map.of("/d/", "", "/d/a", "a"), both);
          } else {
            assertThat(outcome.failed()).as("%s", outcome).isFalse();
            assertThat(tree).isEqualTo(both);
          }
        };
    explore(
        Experiment.named("create without a look")
            .setUp(client -> SimulatedMount.of(client).mkdirs("/d"))
            .program(
                "a",
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.write("/d/a", "a", true);
                  mount.write("/d/new", "n", true);
                })
            .recover(client -> SimulatedMount.of(client).sweep())
            .checkBeforeRecovery(check)
            .check(check));
  }

  @Test
  void overwrite() {
    explore(
        experiment(
            "overwrite",
            m -> m.write("/d/f", LONG),
            m -> m.write("/d/f", "new", true),
            Map.of("/d/", "", "/d/f", LONG),
            Map.of("/d/", "", "/d/f", "new")));
  }

  @Test
  void deleteFile() {
    explore(
        experiment(
            "delete of a file",
            m -> m.write("/d/f", LONG),
            m -> m.namespace().delete(FsPath.parse("/d/f"), false),
            Map.of("/d/", "", "/d/f", LONG),
            Map.of("/d/", "")));
  }

  /** The files of one directory go at one instant, of another at another. */
  @Test
  void deleteMany() {
    Map<String, String> before =
        Map.of("/d/", "", "/d/f", LONG, "/d/g", "g", "/d/s/", "", "/d/s/h", "h", "/d/s/i", "i");
    Map<String, String> between = Map.of("/d/", "", "/d/f", LONG, "/d/g", "g", "/d/s/", "");
    Experiment.Check check =
        trial -> {
          PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
          SortedMap<String, String> tree = SimulatedMount.of(trial.observer()).tree();
          if (trial.outcome("a").crashed() || AppliedErrors.failed(trial, "a")) {
            assertThat(tree)
                .isIn(before, between, Map.of("/d/", "", "/d/s/", ""), Map.of("/d/", ""));
          } else {
            assertThat(tree).isEqualTo(Map.of("/d/", ""));
          }
        };
    explore(
        Experiment.named("delete of many")
            .setUp(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.write("/d/f", LONG);
                  mount.write("/d/g", "g");
                  mount.write("/d/s/h", "h");
                  mount.write("/d/s/i", "i");
                })
            .program(
                "a",
                client ->
                    assertThat(
                            SimulatedMount.of(client)
                                .namespace()
                                .deleteAll(
                                    List.of(
                                        FsPath.parse("/d/s"),
                                        FsPath.parse("/d/f"),
                                        FsPath.parse("/d/s/h"),
                                        FsPath.parse("/d/none"),
                                        FsPath.parse("/d/g"),
                                        FsPath.parse("/d/s/i"))))
                        .isEmpty())
            .recover(client -> SimulatedMount.of(client).sweep())
            .checkBeforeRecovery(check)
            .check(check));
  }

  @Test
  void deleteDirectory() {
    Map<String, String> emptied = Map.of("/d/", "");
    Experiment experiment =
        Experiment.named("delete of a directory")
            .setUp(
                client -> {
                  SimulatedMount mount = mount(client);
                  mount.write("/d/f", LONG);
                  mount.write("/d/g", "g");
                })
            .program("a", client -> mount(client).namespace().delete(FsPath.parse("/d"), true))
            .recover(client -> mount(client).sweep())
            .checkBeforeRecovery(
                trial -> {
                  PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
                  assertThat(mount(trial.observer()).tree())
                      .isIn(Map.of("/d/", "", "/d/f", LONG, "/d/g", "g"), emptied, Map.of());
                })
            .check(
                trial -> {
                  PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
                  assertThat(mount(trial.observer()).tree())
                      .isIn(Map.of("/d/", "", "/d/f", LONG, "/d/g", "g"), Map.of());
                });
    explore(experiment);
  }

  @Test
  void deleteEmptyDirectoryWithoutIndex() {
    explore(
        experiment(
            "delete of an empty directory",
            m -> m.mkdirs("/d"),
            m -> m.namespace().delete(FsPath.parse("/d"), false),
            Map.of("/d/", ""),
            Map.of()));
  }

  @Test
  void renameWithinADirectory() {
    explore(
        experiment(
            "rename within a directory",
            m -> m.write("/d/f", LONG),
            m -> m.namespace().rename(FsPath.parse("/d/f"), FsPath.parse("/d/g"), false),
            Map.of("/d/", "", "/d/f", LONG),
            Map.of("/d/", "", "/d/g", LONG)));
  }

  @Test
  void renameOverAFile() {
    explore(
        experiment(
            "rename over a file",
            m -> {
              m.write("/d/f", LONG);
              m.write("/d/g", "to be replaced");
            },
            m -> m.namespace().rename(FsPath.parse("/d/f"), FsPath.parse("/d/g"), true),
            Map.of("/d/", "", "/d/f", LONG, "/d/g", "to be replaced"),
            Map.of("/d/", "", "/d/g", LONG)));
  }

  @Test
  void renameAcrossDirectories() {
    explore(
        experiment(
            "rename across directories",
            m -> {
              m.write("/d/f", LONG);
              m.write("/e/other", "o");
            },
            m -> m.namespace().rename(FsPath.parse("/d/f"), FsPath.parse("/e/g"), false),
            Map.of("/d/", "", "/d/f", LONG, "/e/", "", "/e/other", "o"),
            Map.of("/d/", "", "/e/", "", "/e/other", "o", "/e/g", LONG)));
  }

  @Test
  void renameOfATreeWithinItsParent() {
    explore(
        experiment(
            "rename of a tree within its parent",
            NamespaceStoppingPointsTest::tree,
            m -> m.namespace().rename(FsPath.parse("/p/t"), FsPath.parse("/p/u"), false),
            Map.of(
                "/p/", "", "/q/", "", "/p/t/", "", "/p/t/f", LONG, "/p/t/s/", "", "/p/t/s/g", "g"),
            Map.of(
                "/p/",
                "",
                "/q/",
                "",
                "/p/u/",
                "",
                "/p/u/f",
                LONG,
                "/p/u/s/",
                "",
                "/p/u/s/g",
                "g")));
  }

  @Test
  void renameOfATreeAcrossDirectories() {
    explore(
        experiment(
            "rename of a tree across directories",
            NamespaceStoppingPointsTest::tree,
            m -> m.namespace().rename(FsPath.parse("/p/t"), FsPath.parse("/q/u"), false),
            Map.of(
                "/p/", "", "/q/", "", "/p/t/", "", "/p/t/f", LONG, "/p/t/s/", "", "/p/t/s/g", "g"),
            Map.of(
                "/p/",
                "",
                "/q/",
                "",
                "/q/u/",
                "",
                "/q/u/f",
                LONG,
                "/q/u/s/",
                "",
                "/q/u/s/g",
                "g")));
  }

  private static void tree(SimulatedMount mount) throws IOException {
    mount.write("/p/t/f", LONG);
    mount.write("/p/t/s/g", "g");
    mount.mkdirs("/q");
  }
}
