// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;

/**
 * The same where every directory of more than one child has its names in two shards; and a
 * directory that is split while others change and read it. {@code a} and {@code b} are in one
 * shard, {@code c} to {@code e} in the other.
 */
class ShardedRacesTest extends NamespaceRacesTest {

  private static final String LONG = "more than one stripe of it";

  @Override
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(1, 2));
  }

  /** There are more races here, and they are longer. */
  @Override
  int interleavings() {
    return 40;
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /** Leaves the directory in one object, as clients with a larger threshold do. */
  private static void unsplit(SimulatedMount mount) throws IOException {
    mount.whole().write("/d/a", LONG);
    mount.whole().write("/d/c", "c");
    assertThat(mount.shards("/d")).isEqualTo(1);
  }

  private static void split(SimulatedMount mount) throws IOException {
    boolean unused = mount.wiring().splitter().splitIfLarge(path("/d"), 0);
  }

  private static void three(SimulatedMount mount) throws IOException {
    mount.write("/d/a", LONG);
    mount.write("/d/b", "b");
    mount.write("/d/c", "c");
    assertThat(mount.shards("/d")).isEqualTo(2);
  }

  private static final Map<String, String> TWO = tree("/d/", "", "/d/a", LONG, "/d/c", "c");
  private static final Map<String, String> THREE = with(TWO, "/d/b", "b");

  private static Map<String, String> tree(String... pathsAndContents) {
    return with(Map.of(), pathsAndContents);
  }

  private static Map<String, String> with(Map<String, String> tree, String... pathsAndContents) {
    Map<String, String> more = new TreeMap<>(tree);
    for (int i = 0; i < pathsAndContents.length; i += 2) {
      more.put(pathsAndContents[i], pathsAndContents[i + 1]);
    }
    return more;
  }

  private static Map<String, String> without(Map<String, String> tree, String... paths) {
    Map<String, String> rest = new TreeMap<>(tree);
    List.of(paths).forEach(rest::remove);
    return rest;
  }

  private void bothSucceed(String name, Step setUp, Step first, Map<String, String> after) {
    Expectation both =
        (tree, a, b) -> {
          assertThat(a && b).isTrue();
          assertThat(tree).isEqualTo(after);
        };
    explore(race(name + " against a split", setUp, first, ShardedRacesTest::split, both));
    explore(race("a split against " + name, setUp, ShardedRacesTest::split, first, both));
  }

  @Test
  void splitAgainstSplit() {
    bothSucceed("a split", ShardedRacesTest::unsplit, ShardedRacesTest::split, TWO);
  }

  @Test
  void splitAgainstCreate() {
    bothSucceed(
        "create",
        ShardedRacesTest::unsplit,
        m -> m.whole().write("/d/b", "b"),
        with(TWO, "/d/b", "b"));
  }

  /** The second file is made without a look: what was seen for the first is of the head object. */
  @Test
  void splitAgainstUnlookedCreation() {
    bothSucceed(
        "creation of two files by one client",
        ShardedRacesTest::unsplit,
        m -> {
          SimulatedMount client = m.whole();
          client.write("/d/b", "b", true);
          client.write("/d/e", "e", true);
        },
        with(TWO, "/d/b", "b", "/d/e", "e"));
  }

  /** Names of both shards go, one shard after the other. */
  @Test
  void splitAgainstBulkDeletion() {
    bothSucceed(
        "bulk deletion",
        ShardedRacesTest::three,
        m ->
            assertThat(m.namespace().deleteAll(List.of(path("/d/a"), path("/d/b"), path("/d/c"))))
                .isEmpty(),
        tree("/d/", ""));
    bothSucceed(
        "bulk deletion before there are shards",
        ShardedRacesTest::unsplit,
        m -> assertThat(m.namespace().deleteAll(List.of(path("/d/a"), path("/d/c")))).isEmpty(),
        tree("/d/", ""));
  }

  @Test
  void splitAgainstChangeOfLayout() {
    DataLayout large = DataLayout.DEFAULT.withObjectSize(Optional.of(16));
    bothSucceed(
        "change of the layout",
        ShardedRacesTest::unsplit,
        m -> {
          assertThat(m.layouts().change(path("/d"), before -> large)).isEqualTo(large);
          for (String name : List.of("/d/b", "/d/e")) {
            assertThat(
                    m.namespace()
                        .create(path(name), false, false, SimulatedMount.ATTRIBUTES)
                        .layout())
                .isEqualTo(large);
          }
        },
        TWO);
  }

  @Test
  void splitAgainstOverwrite() {
    bothSucceed(
        "overwrite",
        ShardedRacesTest::unsplit,
        m -> m.whole().write("/d/a", "new", true),
        with(TWO, "/d/a", "new"));
  }

  @Test
  void splitAgainstDelete() {
    bothSucceed(
        "delete",
        ShardedRacesTest::unsplit,
        m -> m.namespace().delete(path("/d/a"), false),
        without(TWO, "/d/a"));
  }

  @Test
  void splitAgainstRename() {
    bothSucceed(
        "rename",
        ShardedRacesTest::unsplit,
        m -> m.namespace().rename(path("/d/a"), path("/d/c"), true),
        with(without(TWO, "/d/a"), "/d/c", LONG));
  }

  @Test
  void splitAgainstRenameIntoIt() {
    bothSucceed(
        "rename into it",
        m -> {
          unsplit(m);
          m.write("/e/f", "f");
        },
        m -> m.namespace().rename(path("/e/f"), path("/d/b"), false),
        with(TWO, "/d/b", "f", "/e/", ""));
  }

  @Test
  void splitAgainstRenameOfTheDirectory() {
    bothSucceed(
        "rename of the directory",
        ShardedRacesTest::unsplit,
        m -> m.namespace().rename(path("/d"), path("/e"), false),
        tree("/e/", "", "/e/a", LONG, "/e/c", "c"));
  }

  @Test
  void splitAgainstRemovalOfTheDirectory() {
    bothSucceed(
        "removal of the directory",
        ShardedRacesTest::unsplit,
        m -> m.namespace().delete(path("/d"), true),
        Map.of());
  }

  private static void listWhole(SimulatedMount mount, String... names) throws IOException {
    List<String> found = new ArrayList<>();
    RemoteIterator<Namespace.Child> listing = mount.namespace().listing(path("/d"));
    while (listing.hasNext()) {
      found.add(listing.next().path().name());
    }
    assertThat(found).containsExactlyInAnyOrder(names);
    assertThat(mount.namespace().list(path("/d")))
        .extracting(child -> child.path().name())
        .containsExactlyInAnyOrder(names);
    for (String name : names) {
      assertThat(mount.namespace().lookup(path("/d/" + name))).isPresent();
    }
    assertThat(mount.namespace().lookup(path("/d/none"))).isEmpty();
  }

  @Test
  void splitAgainstReaders() {
    bothSucceed("reading", ShardedRacesTest::unsplit, m -> listWhole(m, "a", "c"), TWO);
  }

  @Test
  void readersAgainstRenameToAnotherShard() {
    Expectation moved =
        (tree, a, b) -> {
          assertThat(b).isTrue();
          assertThat(tree).isEqualTo(with(without(THREE, "/d/a"), "/d/e", LONG));
        };
    Step listing =
        m -> {
          List<String> names =
              m.namespace().list(path("/d")).stream().map(child -> child.path().name()).toList();
          assertThat(names).isIn(List.of("a", "b", "c"), List.of("b", "c", "e"));
          if (names.contains("e")) {
            assertThat(m.namespace().lookup(path("/d/e"))).isPresent();
            assertThat(m.namespace().lookup(path("/d/a"))).isEmpty();
          }
        };
    Step rename = m -> m.namespace().rename(path("/d/a"), path("/d/e"), false);
    explore(race("a listing against a rename", ShardedRacesTest::three, listing, rename, moved));
    Step some =
        m -> {
          List<String> found = new ArrayList<>();
          try {
            RemoteIterator<Namespace.Child> children = m.namespace().listing(path("/d"));
            while (children.hasNext()) {
              found.add(children.next().path().name());
            }
          } catch (PathIOException e) {
            assertThat(e).hasMessageContaining("list it again");
            return;
          }
          found.sort(null);
          assertThat(found).isIn(List.of("a", "b", "c"), List.of("b", "c", "e"));
        };
    explore(race("an iterator against a rename", ShardedRacesTest::three, some, rename, moved));
  }

  /** What was handed out is still true, so the rest is read as it is now. */
  @Test
  void iteratorAgainstRenameInAShardToCome() {
    explore(
        race(
            "an iterator against a rename in the other shard",
            ShardedRacesTest::three,
            m -> {
              List<String> found = new ArrayList<>();
              RemoteIterator<Namespace.Child> children = m.namespace().listing(path("/d"));
              while (children.hasNext()) {
                found.add(children.next().path().name());
              }
              assertThat(found).isIn(List.of("a", "b", "c"), List.of("a", "b", "d"));
            },
            m -> m.namespace().rename(path("/d/c"), path("/d/d"), false),
            (tree, a, b) -> {
              assertThat(a && b).isTrue();
              assertThat(tree).isEqualTo(with(without(THREE, "/d/c"), "/d/d", "c"));
            }));
  }

  @Test
  void createInShardAgainstRemovalOfTheDirectory() {
    explore(
        race(
            "create in a shard against the removal of its empty directory",
            m -> {
              three(m);
              for (String file : List.of("/d/a", "/d/b", "/d/c")) {
                m.namespace().delete(path(file), false);
              }
            },
            m -> m.write("/d/f", LONG),
            m -> m.namespace().delete(path("/d"), false),
            (tree, a, b) -> {
              if (a) {
                assertThat(tree).isEqualTo(tree("/d/", "", "/d/f", LONG));
              } else {
                assertThat(tree).isEqualTo(Map.of());
              }
            }));
  }

  @Test
  void createInShardAgainstRemovalOfTheTree() {
    explore(
        race(
            "create in a shard against the removal of its tree",
            ShardedRacesTest::three,
            m -> m.write("/d/f", LONG),
            m -> m.namespace().delete(path("/d"), true),
            (tree, a, b) -> {
              assertThat(b).isTrue();
              assertThat(tree).isIn(Map.of(), tree("/d/", "", "/d/f", LONG));
              assertThat(tree.isEmpty() || a).isTrue();
            }));
  }

  @Test
  void createInShardAgainstRenameOfTheDirectory() {
    explore(
        race(
            "rename of a directory with shards against create in it",
            ShardedRacesTest::three,
            m -> m.namespace().rename(path("/d"), path("/e"), false),
            m -> m.write("/d/f", "f"),
            (tree, a, b) -> {
              assertThat(a).isTrue();
              assertThat(tree).containsEntry("/e/a", LONG).containsEntry("/e/c", "c");
              assertThat(tree.containsKey("/d/f") ^ tree.containsKey("/e/f")).isEqualTo(b);
            }));
  }

  @Test
  void twoRenameToOneNameInAnotherShard() {
    explore(
        race(
            "two that rename to one name in another shard",
            ShardedRacesTest::three,
            m -> m.namespace().rename(path("/d/a"), path("/d/e"), false),
            m -> m.namespace().rename(path("/d/b"), path("/d/e"), false),
            (tree, a, b) -> {
              assertThat(a ^ b).as("exactly one gets the name").isTrue();
              assertThat(tree)
                  .isEqualTo(
                      a
                          ? with(without(THREE, "/d/a"), "/d/e", LONG)
                          : with(without(THREE, "/d/b"), "/d/e", "b"));
            }));
  }
}
