// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A thread is interrupted at each operation of a change, before it is sent and while it is under
 * way. However the call ends, the thread is still interrupted after it; a call that fails for it
 * has taken back what it had begun, or the change is made; and whoever comes after finds all the
 * rest.
 */
@Execution(ExecutionMode.CONCURRENT)
class InterruptedChangesTest {

  private static final String LONG = "more than one stripe of it";

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /**
   * How a call ended.
   *
   * @param struck whether its thread was interrupted
   * @param interrupted whether it still was after the call
   */
  private record Ended(boolean struck, boolean interrupted, IOException failure) {

    void check() {
      assertThat(interrupted).as("interrupted after the call: %s", this).isEqualTo(struck);
    }
  }

  private static SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static Object endOf(Step change, SimulatedClient client, SimulatedMount mount) {
    IOException failure = null;
    try {
      change.on(mount);
    } catch (IOException e) {
      failure = e;
    }
    return new Ended(!client.faults().struck().isEmpty(), Thread.interrupted(), failure);
  }

  private static void explore(
      String name, Step setUp, Step change, Map<String, String> before, Map<String, String> after) {
    explore(name, setUp, change, before, after, new Sharding(65_536, 64));
  }

  private static void explore(
      String name,
      Step setUp,
      Step change,
      Map<String, String> before,
      Map<String, String> after,
      Sharding sharding) {
    assertThat(
            Experiment.named(name)
                .faults(List.of(Fault.INTERRUPT, Fault.INTERRUPT_AFTER))
                .setUp(client -> setUp.on(SimulatedMount.of(client, sharding)))
                .computation(
                    "a", client -> endOf(change, client, SimulatedMount.of(client, sharding)))
                .recover(client -> mount(client).collect())
                .checkBeforeRecovery(trial -> check(trial, before, after))
                .check(trial -> check(trial, before, after))
                .everyStoppingPoint()
                .complete())
        .isTrue();
  }

  private static void check(Trial trial, Map<String, String> before, Map<String, String> after)
      throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    SortedMap<String, String> tree = mount(trial.observer()).tree();
    Ended ended = trial.outcome("a").value(Ended.class);
    ended.check();
    if (ended.failure() == null) {
      assertThat(tree).isEqualTo(after);
    } else {
      assertThat(ended.failure()).isInstanceOf(InterruptedIOException.class);
      assertThat(tree).isIn(before, after);
    }
  }

  @Test
  void overwrite() {
    explore(
        "interrupted overwriting",
        m -> m.write("/d/f", LONG),
        m -> m.write("/d/f", "new", true),
        Map.of("/d/", "", "/d/f", LONG),
        Map.of("/d/", "", "/d/f", "new"));
  }

  @Test
  void deletionOfAFile() {
    explore(
        "interrupted deletion of a file",
        m -> m.write("/d/f", LONG),
        m -> m.namespace().delete(path("/d/f"), false),
        Map.of("/d/", "", "/d/f", LONG),
        Map.of("/d/", ""));
  }

  /** A directory that is closing reads as empty, until the next that comes there ends it. */
  @Test
  void deletionOfADirectory() {
    Experiment.Check flag =
        trial -> {
          PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
          Ended ended = trial.outcome("a").value(Ended.class);
          ended.check();
          if (ended.failure() == null) {
            assertThat(mount(trial.observer()).tree()).isIn(Map.of("/d/", ""), Map.of());
          }
        };
    Experiment experiment =
        Experiment.named("interrupted deletion of a directory")
            .faults(List.of(Fault.INTERRUPT, Fault.INTERRUPT_AFTER))
            .setUp(client -> mount(client).write("/d/f", LONG))
            .computation(
                "a",
                client -> endOf(m -> m.namespace().delete(path("/d"), true), client, mount(client)))
            .recover(client -> mount(client).sweep())
            .checkBeforeRecovery(flag)
            .check(
                trial -> {
                  flag.check(trial);
                  assertThat(mount(trial.observer()).tree())
                      .isIn(Map.of("/d/", "", "/d/f", LONG), Map.of());
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void bulkDeletion() {
    Experiment experiment =
        Experiment.named("interrupted bulk deletion")
            .faults(List.of(Fault.INTERRUPT, Fault.INTERRUPT_AFTER))
            .setUp(
                client -> {
                  SimulatedMount mount = mount(client);
                  mount.write("/d/f", LONG);
                  mount.write("/d/g", "g");
                })
            .computation(
                "a",
                client ->
                    endOf(
                        m -> {
                          Map<FsPath, IOException> failures =
                              m.namespace().deleteAll(List.of(path("/d/f"), path("/d/g")));
                          for (IOException failure : failures.values()) {
                            throw failure;
                          }
                        },
                        client,
                        mount(client)))
            .recover(client -> mount(client).collect())
            .check(
                trial ->
                    check(trial, Map.of("/d/", "", "/d/f", LONG, "/d/g", "g"), Map.of("/d/", "")));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void renameOverAFile() {
    explore(
        "interrupted rename over a file",
        m -> {
          m.write("/d/f", LONG);
          m.write("/d/g", "to be replaced");
        },
        m -> m.namespace().rename(path("/d/f"), path("/d/g"), true),
        Map.of("/d/", "", "/d/f", LONG, "/d/g", "to be replaced"),
        Map.of("/d/", "", "/d/g", LONG));
  }

  @Test
  void renameAcrossDirectories() {
    explore(
        "interrupted rename across directories",
        m -> {
          m.write("/d/f", LONG);
          m.write("/e/g", "g");
        },
        m -> m.namespace().rename(path("/d/f"), path("/e/f"), false),
        Map.of("/d/", "", "/d/f", LONG, "/e/", "", "/e/g", "g"),
        Map.of("/d/", "", "/e/", "", "/e/g", "g", "/e/f", LONG));
  }

  @Test
  void renameOfATree() {
    explore(
        "interrupted rename of a tree",
        m -> m.write("/d/s/f", LONG),
        m -> m.namespace().rename(path("/d"), path("/e"), false),
        Map.of("/d/", "", "/d/s/", "", "/d/s/f", LONG),
        Map.of("/e/", "", "/e/s/", "", "/e/s/f", LONG));
  }

  @Test
  void deletionOfADirectoryWithShards() {
    explore(
        "interrupted deletion of a directory with shards",
        m -> {
          for (int i = 0; i < 5; i++) {
            m.write("/d/" + i, "");
          }
        },
        m -> m.namespace().delete(path("/d"), true),
        Map.of("/d/", "", "/d/0", "", "/d/1", "", "/d/2", "", "/d/3", "", "/d/4", ""),
        Map.of(),
        new Sharding(4, 2));
  }

  /** What a rename had begun is taken back at once, not by whoever comes upon it. */
  @Test
  void whatIsGivenUpIsTakenBackAtOnce() {
    Experiment experiment =
        Experiment.named("interrupted rename, taken back")
            .faults(List.of(Fault.INTERRUPT))
            .setUp(
                client -> {
                  SimulatedMount mount = mount(client);
                  mount.write("/d/f", LONG);
                  mount.mkdirs("/e");
                })
            .computation(
                "a",
                client ->
                    endOf(
                        m -> m.namespace().rename(path("/d/f"), path("/e/f"), false),
                        client,
                        mount(client)))
            .check(
                trial -> {
                  Ended ended = trial.outcome("a").value(Ended.class);
                  if (ended.failure() != null) {
                    trial
                        .cluster()
                        .objects(SimulatedMount.POOL, "")
                        .forEach(
                            (name, object) ->
                                assertThat(object.omap().keySet())
                                    .as("marks in %s", name)
                                    .noneMatch(key -> key.matches("[tpj]/.*")));
                  }
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
