// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two clients at once: the second runs as a whole before every operation of the first, and in
 * interleavings chosen by chance; then each of them also dies in between. No file is lost, none is
 * there twice, and nothing leaks, whoever wins.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class NamespaceRacesTest {

  private static final String LONG = "more than one stripe of it";
  private static final long SEED = 20_261_121;

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold of the tree, given who succeeded. */
  interface Expectation {
    void check(SortedMap<String, String> tree, boolean first, boolean second);
  }

  /** A file system, as this client has it. */
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  /** How many interleavings to choose by chance. */
  int interleavings() {
    return 200;
  }

  Experiment race(String name, Step setUp, Step first, Step second, Expectation expectation) {
    return Experiment.named(name)
        .setUpOnce(client -> setUp.on(mount(client)))
        .program("a", client -> first.on(mount(client)))
        .program("b", client -> second.on(mount(client)))
        .recover(client -> mount(client).sweep())
        .checkBeforeRecovery(this::checkPool)
        .check(
            trial -> {
              SortedMap<String, String> tree = checkPool(trial);
              Outcome a = trial.outcome("a");
              Outcome b = trial.outcome("b");
              if (!a.crashed() && !b.crashed()) {
                expectation.check(tree, a.succeeded(), b.succeeded());
              }
            });
  }

  /** The tree, in a pool in which nothing is wrong. */
  private SortedMap<String, String> checkPool(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    return mount(trial.observer()).tree();
  }

  void explore(Experiment race) {
    race.everyInsertion();
    race.everyInsertionThenCrash();
    race.everyInsertionOfCrash();
    race.randomInterleavings(SEED, interleavings());
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /** What a client lists, or that there is nothing. */
  private static List<String> listed(SimulatedMount mount, String directory) throws IOException {
    try {
      return mount.namespace().list(path(directory)).stream()
          .map(child -> child.path().name())
          .toList();
    } catch (FileNotFoundException e) {
      return List.of("nothing there");
    }
  }

  /** Found by the explorer: the directory that is renamed was never empty. */
  @Test
  void aListingAgainstTheRenameOfATreeToThere() {
    for (String directory : List.of("/to/tree", "/to/tree/below")) {
      Experiment.named("a listing of " + directory + " against the rename of a tree to there")
          .setUp(
              client -> {
                mount(client).write("/from/tree/below/f", "f");
                mount(client).mkdirs("/to");
              })
          .computation("a", client -> listed(mount(client), directory))
          .program(
              "b",
              client ->
                  mount(client).namespace().rename(path("/from/tree"), path("/to/tree"), false))
          .check(trial -> assertThat(trial.outcome("a").value(List.class)).isNotEqualTo(List.of()))
          .everyInsertion();
    }
  }

  @Test
  void twoCreateOneName() {
    explore(
        race(
            "two that create one name",
            m -> m.mkdirs("/d"),
            m -> m.write("/d/f", "a"),
            m -> m.write("/d/f", "b"),
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one creates it: %s %s", a, b).isTrue();
              assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/f", a ? "a" : "b"));
            }));
  }

  @Test
  void createAgainstRemovalOfTheDirectory() {
    explore(
        race(
            "create against the removal of its directory",
            m -> m.mkdirs("/d"),
            m -> m.write("/d/f", LONG),
            m -> m.namespace().delete(path("/d"), false),
            (tree, a, b) -> {
              if (a) {
                assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/f", LONG));
              } else {
                assertThat(tree).isEqualTo(Map.of());
              }
            }));
  }

  /** The directory is made anew while the removal still goes on. */
  @Test
  void removalOfTheDirectoryAgainstCreate() {
    explore(
        race(
            "the removal of a directory against create in it",
            m -> m.mkdirs("/d"),
            m -> m.namespace().delete(path("/d"), false),
            m -> m.write("/d/f", LONG),
            (tree, a, b) -> {
              if (b) {
                assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/f", LONG));
              } else {
                assertThat(tree).isEqualTo(Map.of());
              }
            }));
  }

  @Test
  void createAgainstRemovalOfTheTree() {
    explore(
        race(
            "create against the removal of its tree",
            m -> m.write("/d/s/old", "o"),
            m -> m.write("/d/s/f", LONG),
            m -> m.namespace().delete(path("/d"), true),
            (tree, a, b) -> {
              assertThat(b).isTrue();
              // Created after the removal, the file has its directories made anew.
              assertThat(tree).isIn(Map.of(), Map.of("/d/", "", "/d/s/", "", "/d/s/f", LONG));
              assertThat(tree.isEmpty() || a).isTrue();
            }));
  }

  /** Makes a file where it has just made one, so that nobody looks. */
  private static void writeTwo(SimulatedMount mount) throws IOException {
    mount.write("/d/a", "a", true);
    mount.write("/d/f", "f", true);
  }

  @Test
  void createWithoutALookAgainstRemovalOfTheTree() {
    explore(
        race(
            "create without a look against the removal of its tree",
            m -> m.write("/d/old", "o"),
            NamespaceRacesTest::writeTwo,
            m -> m.namespace().delete(path("/d"), true),
            (tree, a, b) -> {
              assertThat(b).isTrue();
              assertThat(tree.keySet())
                  .isIn(Set.of(), Set.of("/d/", "/d/f"), Set.of("/d/", "/d/a", "/d/f"));
              assertThat(tree.isEmpty() || a).isTrue();
            }));
  }

  @Test
  void createWithoutALookAgainstADirectoryOfThatName() {
    explore(
        race(
            "create without a look against a directory of that name",
            m -> m.mkdirs("/d"),
            NamespaceRacesTest::writeTwo,
            m -> m.mkdirs("/d/f"),
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one gets the name").isTrue();
              assertThat(tree.keySet()).isEqualTo(Set.of("/d/", "/d/a", a ? "/d/f" : "/d/f/"));
            }));
  }

  @Test
  void createWithoutALookAgainstAFileOfThatName() {
    explore(
        race(
            "create without a look against a file of that name",
            m -> m.mkdirs("/d"),
            NamespaceRacesTest::writeTwo,
            m -> m.write("/d/f", LONG),
            (tree, a, b) -> {
              assertThat(a).isTrue();
              // The one replaces the other's, which cannot replace it.
              assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/a", "a", "/d/f", "f"));
            }));
  }

  @Test
  void createWithoutALookAgainstRenames() {
    explore(
        race(
            "create without a look against a rename of its directory and back",
            m -> m.write("/d/old", "o"),
            NamespaceRacesTest::writeTwo,
            m -> {
              m.namespace().rename(path("/d"), path("/e"), false);
              m.namespace().rename(path("/e"), path("/d"), false);
            },
            (tree, a, b) -> {
              if (a && b) {
                assertThat(tree)
                    .isEqualTo(Map.of("/d/", "", "/d/a", "a", "/d/f", "f", "/d/old", "o"));
              }
            }));
  }

  @Test
  void makeAgainstRemovalOfADirectory() {
    explore(
        race(
            "making a directory against the removal of its parent",
            m -> m.mkdirs("/d"),
            m -> m.mkdirs("/d/s"),
            m -> m.namespace().delete(path("/d"), false),
            (tree, a, b) -> {
              assertThat(a).isTrue();
              assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/s/", ""));
            }));
  }

  @Test
  void twoRenameOneFileToOneNameInItsDirectory() {
    for (boolean overwrite : new boolean[] {false, true}) {
      explore(
          race(
              "two that rename one file to one name, overwriting: " + overwrite,
              m -> {
                m.write("/d/f", LONG);
                m.write("/d/old", "o");
              },
              m -> m.namespace().rename(path("/d/f"), path("/d/g"), overwrite),
              m -> m.namespace().rename(path("/d/f"), path("/d/g"), overwrite),
              (tree, a, b) -> {
                assertThat(a ^ b).as("exactly one renames it").isTrue();
                assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/g", LONG, "/d/old", "o"));
              }));
    }
  }

  @Test
  void twoRenameOneFileAcrossDirectories() {
    explore(
        race(
            "two that rename one file to different directories",
            m -> {
              m.write("/d/f", LONG);
              m.mkdirs("/x");
              m.mkdirs("/y");
            },
            m -> m.namespace().rename(path("/d/f"), path("/x/f"), false),
            m -> m.namespace().rename(path("/d/f"), path("/y/f"), false),
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one renames it").isTrue();
              assertThat(tree)
                  .isEqualTo(Map.of("/d/", "", "/x/", "", "/y/", "", a ? "/x/f" : "/y/f", LONG));
            }));
  }

  /** Whoever is first, the directory is there all the time: neither of the two can fail. */
  @Test
  void renameOfADirectoryAgainstAChangeOfItsAttributes() {
    explore(
        race(
            "the rename of a directory against a change of its attributes",
            m -> m.write("/d/sub/f", "a"),
            m -> m.namespace().rename(path("/d/sub"), path("/d/other"), false),
            m -> {
              try {
                m.namespace().setAttributes(path("/d/sub"), was -> was.withPermission(0700));
              } catch (FileNotFoundException e) {
                assertThat(m.namespace().lookup(path("/d/other"))).isPresent();
              }
            },
            (tree, a, b) -> {
              assertThat(a).as("the rename succeeds").isTrue();
              assertThat(b).as("so does the change").isTrue();
              assertThat(tree).isEqualTo(Map.of("/d/", "", "/d/other/", "", "/d/other/f", "a"));
            }));
  }

  @Test
  void twoRenameToOneName() {
    explore(
        race(
            "two that rename to one name",
            m -> {
              m.write("/d/a", "a");
              m.write("/e/b", "b");
              m.mkdirs("/x");
            },
            m -> m.namespace().rename(path("/d/a"), path("/x/f"), false),
            m -> m.namespace().rename(path("/e/b"), path("/x/f"), false),
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one gets the name").isTrue();
              assertThat(tree.get("/x/f")).isEqualTo(a ? "a" : "b");
              assertThat(tree).containsKey(a ? "/e/b" : "/d/a");
            }));
  }

  @Test
  void renameOfATreeAgainstCreateInIt() {
    explore(
        race(
            "rename of a tree against create in it",
            m -> {
              m.write("/d/t/old", "o");
              m.mkdirs("/x");
            },
            m -> m.namespace().rename(path("/d/t"), path("/x/t"), false),
            m -> m.write("/d/t/f", LONG),
            (tree, a, b) -> {
              assertThat(a).isTrue();
              List<String> places = new ArrayList<>(List.of("/d/t/f", "/x/t/f"));
              places.removeIf(place -> !tree.containsKey(place));
              assertThat(places).hasSize(b ? 1 : 0);
              assertThat(tree.get("/x/t/old")).isEqualTo("o");
            }));
  }

  /** Whoever resolves a part of a rename leaves nothing below that nobody finds any more. */
  @Test
  void renameOfATreeAgainstReplacingAFileInTheMiddleOfIt() {
    explore(
        race(
            "rename of a tree against replacing a file in the middle of it",
            NamespaceRacesTest::writeTree,
            m -> m.namespace().rename(path("/d/t"), path("/x/t"), false),
            m -> {
              String top = m.namespace().lookup(path("/x/t")).isPresent() ? "/x/t" : "/d/t";
              m.write(top + "/s/f", "new", true);
            },
            (tree, a, b) -> {
              assertThat(a).isTrue();
              assertThat(tree).containsEntry("/x/t/s/r/f", "f");
              assertThat(tree.values().stream().filter("f"::equals)).hasSizeBetween(1, 2);
              assertThat(tree.containsValue("new")).isEqualTo(b);
            }));
  }

  @Test
  void renameOfATreeAgainstWritingWhereItWas() {
    explore(
        race(
            "rename of a tree against writing where it was",
            NamespaceRacesTest::writeTree,
            m -> m.namespace().rename(path("/d/t"), path("/x/t"), false),
            m -> m.write("/d/t/new", "new"),
            (tree, a, b) -> {
              assertThat(a).isTrue();
              assertThat(tree).containsEntry("/x/t/s/r/f", "f").containsEntry("/x/t/s/f", "f");
              assertThat(tree.values().stream().filter("f"::equals)).hasSize(2);
              assertThat(tree.containsValue("new")).isEqualTo(b);
            }));
  }

  /**
   * The second aborts the rename and clears away what is prepared, and the first goes on preparing.
   */
  @Test
  void renameOfATreeAgainstWritingWhereItWasAndWhereItGoes() {
    explore(
        race(
            "rename of a tree against writing where it was and where it goes",
            NamespaceRacesTest::writeTree,
            m -> m.namespace().rename(path("/d/t"), path("/x/t"), false),
            m -> {
              m.write("/d/t/s/new", "new");
              m.write("/x/t/s/new", "new");
            },
            (tree, a, b) -> {
              String top = a ? "/x/t" : "/d/t";
              assertThat(tree).containsEntry(top + "/s/r/f", "f").containsEntry(top + "/s/f", "f");
              assertThat(tree.values().stream().filter("f"::equals)).hasSize(2);
            }));
  }

  private static void writeTree(SimulatedMount mount) throws IOException {
    mount.write("/d/t/s/f", "f");
    mount.write("/d/t/s/r/f", "f");
    mount.mkdirs("/x");
  }

  @Test
  void renameAgainstRemovalOfTheSource() {
    explore(
        race(
            "rename across directories against the removal of the file",
            m -> {
              m.write("/d/f", LONG);
              m.mkdirs("/x");
            },
            m -> m.namespace().rename(path("/d/f"), path("/x/f"), false),
            m -> m.namespace().delete(path("/d/f"), false),
            (tree, a, b) -> {
              assertThat(tree.containsKey("/d/f")).isFalse();
              assertThat(tree.containsKey("/x/f")).isEqualTo(a);
            }));
  }

  /** Nobody has made an index for it yet. */
  @Test
  void renameOfADirectoryAgainstItsRemoval() {
    explore(
        race(
            "the rename of a directory without an index against its removal",
            m -> m.mkdirs("/d/sub"),
            m -> m.namespace().rename(path("/d/sub"), path("/other"), false),
            m -> {
              if (!m.namespace().delete(path("/d/sub"), true)) {
                throw new FileNotFoundException("/d/sub");
              }
            },
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one has it: %s %s", a, b).isTrue();
              assertThat(tree).isEqualTo(a ? Map.of("/d/", "", "/other/", "") : Map.of("/d/", ""));
            }));
  }

  @Test
  void twoRemoveOneDirectory() {
    explore(
        race(
            "two that remove one directory",
            m -> {
              m.write("/d/a", LONG);
              m.write("/d/b", "b");
              m.write("/d/c", "c");
            },
            m -> m.namespace().delete(path("/d"), true),
            m -> m.namespace().delete(path("/d"), true),
            (tree, a, b) -> assertThat(tree).isEqualTo(Map.of())));
  }

  @Test
  void twoRemoveOneEmptyDirectory() {
    explore(
        race(
            "two that remove one empty directory",
            m -> m.mkdirs("/d"),
            m -> m.namespace().delete(path("/d"), false),
            m -> m.namespace().delete(path("/d"), false),
            (tree, a, b) -> assertThat(tree).isEqualTo(Map.of())));
  }
}
