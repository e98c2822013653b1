// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Three clients at once. Short changes: every order in which the clients go on with at most one (or
 * {@code -Pdeep}: two) of them held up before it has ended, and each nested in the next. Long ones:
 * interleavings by chance. No file is lost, none is there twice, and nothing leaks, whoever wins.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class ThreeClientsTest {

  private static final String LONG = "more than one stripe of it";
  private static final long SEED = 20_261_121;
  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold of the tree, given who succeeded. */
  interface Expectation {
    void check(SortedMap<String, String> tree, List<Boolean> succeeded);
  }

  private static Experiment race(
      String name, Step setUp, List<Step> steps, Expectation expectation) {
    Experiment race =
        Experiment.named(name)
            .setUp(client -> setUp.on(SimulatedMount.of(client)))
            .recover(client -> SimulatedMount.of(client).sweep())
            .checkBeforeRecovery(ThreeClientsTest::checkPool)
            .check(
                trial -> {
                  SortedMap<String, String> tree = checkPool(trial);
                  List<Boolean> succeeded = new ArrayList<>();
                  for (int i = 0; i < steps.size(); i++) {
                    succeeded.add(trial.outcome(client(i)).succeeded());
                  }
                  expectation.check(tree, succeeded);
                });
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      race.program(client(i), client -> step.on(SimulatedMount.of(client)));
    }
    return race;
  }

  private static String client(int i) {
    return Character.toString((char) ('a' + i));
  }

  private static SortedMap<String, String> checkPool(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    return SimulatedMount.of(trial.observer()).tree();
  }

  private static void exploreShort(Experiment race) {
    assertThat(race.everyInterleaving(100_000, DEEP ? 2 : 1).complete()).isTrue();
    race.everyNestedInsertion();
    race.randomInterleavings(SEED, DEEP ? 5_000 : 100);
  }

  private static void exploreLong(Experiment race) {
    race.randomInterleavings(SEED, DEEP ? 10_000 : 300);
  }

  private static long winners(List<Boolean> succeeded) {
    return succeeded.stream().filter(s -> s).count();
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static Step renames(String from, String to, boolean overwrite) {
    return mount -> mount.namespace().rename(path(from), path(to), overwrite);
  }

  @Test
  void threeCreateOneName() {
    exploreShort(
        race(
            "three that create one name",
            m -> m.mkdirs("/d"),
            List.of(
                m -> m.write("/d/f", "0"), m -> m.write("/d/f", "1"), m -> m.write("/d/f", "2")),
            (tree, succeeded) -> {
              assertThat(winners(succeeded)).isEqualTo(1);
              assertThat(tree)
                  .isEqualTo(Map.of("/d/", "", "/d/f", Integer.toString(succeeded.indexOf(true))));
            }));
  }

  @Test
  void twoCreateWhileTheirDirectoryIsRemoved() {
    exploreShort(
        race(
            "two that create while their directory is removed",
            m -> m.mkdirs("/d"),
            List.of(
                m -> m.write("/d/f", "f"),
                m -> m.write("/d/g", "g"),
                m -> m.namespace().delete(path("/d"), false)),
            (tree, succeeded) -> {
              assertThat(tree.containsKey("/d/f")).isEqualTo(succeeded.get(0));
              assertThat(tree.containsKey("/d/g")).isEqualTo(succeeded.get(1));
            }));
  }

  @Test
  void threeRenameWithinADirectory() {
    exploreShort(
        race(
            "three that rename within a directory, in a circle",
            m -> {
              m.write("/d/0", "0");
              m.write("/d/1", "1");
              m.write("/d/2", "2");
            },
            List.of(
                renames("/d/0", "/d/1", true),
                renames("/d/1", "/d/2", true),
                renames("/d/2", "/d/0", true)),
            (tree, succeeded) -> {
              // The first can; each that can leaves one name less, or none less where it is free.
              assertThat(winners(succeeded)).isPositive();
              List<String> contents = tree.values().stream().filter(c -> !c.isEmpty()).toList();
              assertThat(contents).doesNotHaveDuplicates().isNotEmpty();
            }));
  }

  @Test
  void threeRenameToOneName() {
    exploreShort(
        race(
            "three that rename to one name",
            m -> {
              m.write("/d/0", "0");
              m.write("/d/1", "1");
              m.write("/d/2", "2");
            },
            List.of(
                renames("/d/0", "/d/f", false),
                renames("/d/1", "/d/f", false),
                renames("/d/2", "/d/f", false)),
            (tree, succeeded) -> {
              assertThat(winners(succeeded)).isEqualTo(1);
              assertThat(tree.values()).containsExactlyInAnyOrder("", "0", "1", "2");
              assertThat(tree.get("/d/f")).isEqualTo(Integer.toString(succeeded.indexOf(true)));
            }));
  }

  @Test
  void twoWithoutALookAndOneWhoRemoves() {
    exploreLong(
        race(
            "two that create without a look, and one that removes",
            m -> m.write("/d/old", "o"),
            List.of(
                m -> {
                  m.write("/d/a", "a", true);
                  m.write("/d/f", "0", true);
                },
                m -> {
                  m.write("/d/b", "b", true);
                  m.write("/d/f", "1", true);
                },
                m -> m.namespace().delete(path("/d"), true)),
            (tree, succeeded) -> {
              assertThat(succeeded.get(2)).isTrue();
              if (tree.containsKey("/d/f")) {
                assertThat(tree.get("/d/f")).isIn("0", "1");
              }
            }));
  }

  @Test
  void twoMoveAFileAcrossDirectoriesAndOneReplacesIt() {
    exploreLong(
        race(
            "two that move one file, and one that replaces it",
            m -> {
              m.write("/d/f", LONG);
              m.mkdirs("/x");
              m.mkdirs("/y");
            },
            List.of(
                renames("/d/f", "/x/f", false),
                renames("/d/f", "/y/f", false),
                m -> m.write("/d/f", "new", true)),
            (tree, succeeded) -> {
              assertThat(succeeded.get(2)).isTrue();
              assertThat(tree.values().stream().filter("new"::equals)).hasSize(1);
              assertThat(tree.values().stream().filter(LONG::equals)).hasSizeLessThanOrEqualTo(1);
            }));
  }

  @Test
  void aTreeIsMovedWhileOneWritesAndOneRemoves() {
    exploreLong(
        race(
            "a tree is moved while one writes in it and one removes it",
            m -> {
              m.write("/d/t/s/old", "o");
              m.mkdirs("/x");
            },
            List.of(
                renames("/d/t", "/x/t", false),
                m -> m.write("/d/t/s/f", LONG),
                m -> m.namespace().delete(path("/d/t"), true)),
            (tree, succeeded) -> {
              List<String> places = new ArrayList<>(List.of("/d/t/s/f", "/x/t/s/f"));
              places.removeIf(place -> !tree.containsKey(place));
              assertThat(places).hasSizeLessThanOrEqualTo(succeeded.get(1) ? 1 : 0);
              // The removal goes from the leaves up: what it has taken is not moved.
              assertThat(succeeded.get(0) || !tree.containsKey("/x/t/s/old")).isTrue();
            }));
  }

  @Test
  void aTreeIsMovedWhileTwoWriteWhereItGoes() {
    exploreLong(
        race(
            "a tree is moved while two write where it goes",
            m -> {
              m.write("/d/t/s/old", "o");
              m.mkdirs("/x");
            },
            List.of(
                renames("/d/t", "/x/t", false),
                m -> writeIfThere(m, "/x/t", "/x/t/f"),
                m -> writeIfThere(m, "/x/t", "/x/t/s/f")),
            (tree, succeeded) -> {
              assertThat(succeeded).containsExactly(true, true, true);
              assertThat(tree).containsKey("/x/t/s/old").doesNotContainKey("/d/t/s/old");
            }));
  }

  @Test
  void aTreeIsMovedWhileTwoWriteWhereItWas() {
    exploreLong(
        race(
            "a tree is moved while two write where it was",
            m -> {
              m.write("/d/t/s/old", "o");
              m.mkdirs("/x");
            },
            List.of(
                renames("/d/t", "/x/t", false),
                m -> m.write("/d/t/f", "f", true),
                m -> m.write("/d/t/s/f", "f", true)),
            (tree, succeeded) -> {
              assertThat(places(tree, "/d/t/s/old", "/x/t/s/old")).isEqualTo(1);
              assertThat(tree.containsKey("/x/t/s/old")).isEqualTo(succeeded.get(0));
              assertThat(places(tree, "/d/t/f", "/x/t/f")).isEqualTo(succeeded.get(1) ? 1 : 0);
              assertThat(places(tree, "/d/t/s/f", "/x/t/s/f")).isEqualTo(succeeded.get(2) ? 1 : 0);
            }));
  }

  /** The one aborts the rename, the other clears away what is prepared of it, and it goes on. */
  @Test
  void aTreeIsMovedWhileOneWritesWhereItWasAndOneWhereItGoes() {
    exploreLong(
        race(
            "a tree is moved while one writes where it was and one where it goes",
            m -> {
              m.write("/d/t/s/old", "o");
              m.write("/d/t/s/r/old", "o");
              m.mkdirs("/x");
            },
            List.of(
                renames("/d/t", "/x/t", false),
                m -> m.write("/d/t/s/f", "f"),
                m -> m.write("/x/t/s/g", "g")),
            (tree, succeeded) -> {
              String top = succeeded.get(0) ? "/x/t" : "/d/t";
              assertThat(tree).containsKey(top + "/s/old").containsKey(top + "/s/r/old");
              assertThat(tree.values().stream().filter("o"::equals)).hasSize(2);
              assertThat(places(tree, "/d/t/s/f", "/x/t/s/f")).isEqualTo(succeeded.get(1) ? 1 : 0);
              assertThat(tree.containsKey("/x/t/s/g")).isEqualTo(succeeded.get(2));
            }));
  }

  @Test
  void aTreeIsMovedAndMovedOnWhileOneReplacesAFileOfIt() {
    exploreLong(
        race(
            "a tree is moved and moved on while one replaces a file of it",
            m -> {
              m.write("/d/t/s/old", "o");
              m.write("/d/t/s/r/old", "o");
              m.mkdirs("/x");
              m.mkdirs("/y");
            },
            List.of(
                renames("/d/t", "/x/t", false),
                renames("/x/t", "/y/t", false),
                m -> writeIfThere(m, "/x/t/s", "/x/t/s/old")),
            (tree, succeeded) -> {
              assertThat(places(tree, "/d/t/s/r/old", "/x/t/s/r/old", "/y/t/s/r/old")).isEqualTo(1);
              assertThat(places(tree, "/d/t/s/old", "/x/t/s/old", "/y/t/s/old")).isBetween(1, 2);
              assertThat(tree.values()).contains("o");
            }));
  }

  @Test
  void twoMoveEachDirectoryIntoTheOther() {
    exploreLong(
        race(
            "two that move each directory into the other while one writes in one of them",
            m -> {
              m.write("/a/b/s/one", "1");
              m.write("/c/s/two", "2");
            },
            List.of(
                renames("/a/b", "/c/b", false),
                renames("/c", "/a/b/c", false),
                m -> writeIfThere(m, "/a/b/s", "/a/b/s/three")),
            (tree, succeeded) -> {
              // Each may be refused because of the other; or both succeed, one after the other, as
              // a directory that goes just then is made anew.
              assertThat(tree.values().stream().filter("1"::equals)).hasSize(1);
              assertThat(tree.values().stream().filter("2"::equals)).hasSize(1);
            }));
  }

  @Test
  void aTreeIsRemovedWhileOneMovesAPartOutAndOneMovesATreeIn() {
    exploreLong(
        race(
            "a tree is removed while one moves a part out and one moves a tree in",
            m -> {
              m.write("/d/t/s/r/f", "out");
              m.write("/d/t/s/g", "out");
              m.write("/y/u/v/f", "in");
              m.mkdirs("/x");
            },
            List.of(
                m -> m.namespace().delete(path("/d/t"), true),
                renames("/d/t/s", "/x/s", false),
                renames("/y/u", "/d/t/u", false)),
            (tree, succeeded) -> {
              assertThat(tree.containsKey("/y/u/v/f")).isEqualTo(!succeeded.get(2));
              // The removal goes from the leaves up, and may have begun with what is moved.
              int moved = places(tree, "/x/s/r/f", "/x/s/g");
              assertThat(moved).isLessThanOrEqualTo(succeeded.get(1) ? 2 : 0);
              assertThat(succeeded.get(0) && tree.containsKey("/d/t/s/g")).isFalse();
            }));
  }

  private static int places(SortedMap<String, String> tree, String... paths) {
    return (int) Stream.of(paths).filter(tree::containsKey).count();
  }

  private static void writeIfThere(SimulatedMount mount, String directory, String file)
      throws IOException {
    if (mount.namespace().lookup(path(directory)).isPresent()) {
      mount.write(file, "new", true);
    }
  }

  @Test
  void oneDeletesMany() {
    exploreLong(
        race(
            "one deletes many while one moves one and one replaces one",
            m -> {
              m.write("/d/f", "f");
              m.write("/d/g", LONG);
              m.mkdirs("/x");
            },
            List.of(
                m ->
                    assertThat(
                            m.namespace()
                                .deleteAll(Set.of(path("/d/f"), path("/d/g"), path("/d/none"))))
                        .isEmpty(),
                renames("/d/f", "/x/f", false),
                m -> m.write("/d/g", "new", true)),
            (tree, succeeded) -> {
              assertThat(tree).doesNotContainKey("/d/f").containsKey("/d/");
              assertThat(tree.containsKey("/x/f")).isEqualTo(succeeded.get(1));
              assertThat(tree.getOrDefault("/d/g", "new")).isEqualTo("new");
              assertThat(succeeded.get(2)).isTrue();
            }));
  }
}
