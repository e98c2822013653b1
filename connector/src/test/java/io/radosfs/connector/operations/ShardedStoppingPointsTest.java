// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The same where every directory of more than one child has its names in two shards; and what is
 * peculiar to these. {@code a} and {@code b} are in one shard, {@code c} to {@code e} in the other.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class ShardedStoppingPointsTest extends NamespaceStoppingPointsTest {

  private static final String LONG = "more than one stripe of it";
  private static final Sharding SHARDED = new Sharding(1, 2);

  @Override
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, SHARDED);
  }

  private static void three(SimulatedMount mount) throws IOException {
    mount.write("/d/a", LONG);
    mount.write("/d/b", "b");
    mount.write("/d/c", "c");
    assertThat(mount.shards("/d")).isEqualTo(2);
  }

  private static Map<String, String> without(Map<String, String> tree, String... paths) {
    Map<String, String> rest = new TreeMap<>(tree);
    for (String path : paths) {
      rest.remove(path);
    }
    return rest;
  }

  private static Map<String, String> with(Map<String, String> tree, String... pathsAndContents) {
    Map<String, String> more = new TreeMap<>(tree);
    for (int i = 0; i < pathsAndContents.length; i += 2) {
      more.put(pathsAndContents[i], pathsAndContents[i + 1]);
    }
    return more;
  }

  private static final Map<String, String> THREE =
      Map.of("/d/", "", "/d/a", LONG, "/d/b", "b", "/d/c", "c");

  @Test
  void createInShard() {
    explore(
        experiment(
            "create in a shard",
            ShardedStoppingPointsTest::three,
            m -> m.write("/d/d", LONG),
            THREE,
            with(THREE, "/d/d", LONG)));
  }

  @Test
  void overwriteInShard() {
    explore(
        experiment(
            "overwrite in a shard",
            ShardedStoppingPointsTest::three,
            m -> m.write("/d/a", "new", true),
            THREE,
            with(THREE, "/d/a", "new")));
  }

  @Test
  void deleteFromShard() {
    explore(
        experiment(
            "delete from a shard",
            ShardedStoppingPointsTest::three,
            m -> m.namespace().delete(FsPath.parse("/d/a"), false),
            THREE,
            without(THREE, "/d/a")));
  }

  @Test
  void renameWithinAShard() {
    explore(
        experiment(
            "rename within a shard",
            ShardedStoppingPointsTest::three,
            m -> m.namespace().rename(FsPath.parse("/d/a"), FsPath.parse("/d/b"), true),
            THREE,
            with(without(THREE, "/d/a"), "/d/b", LONG)));
  }

  @Test
  void renameToAnotherShard() {
    explore(
        experiment(
            "rename to another shard",
            m -> {
              m.write("/d/a", LONG);
              m.write("/d/b", "b");
              assertThat(m.shards("/d")).isEqualTo(2);
            },
            m -> m.namespace().rename(FsPath.parse("/d/a"), FsPath.parse("/d/c"), false),
            without(THREE, "/d/c"),
            with(without(THREE, "/d/a"), "/d/c", LONG)));
  }

  @Test
  void renameOverAFileInAnotherShard() {
    explore(
        experiment(
            "rename over a file in another shard",
            ShardedStoppingPointsTest::three,
            m -> m.namespace().rename(FsPath.parse("/d/a"), FsPath.parse("/d/c"), true),
            THREE,
            with(without(THREE, "/d/a"), "/d/c", LONG)));
  }

  @Test
  void renameIntoAnotherDirectory() {
    Map<String, String> before = with(THREE, "/e/", "", "/e/a", "a", "/e/b", "b");
    explore(
        experiment(
            "rename between directories with shards",
            m -> {
              three(m);
              m.write("/e/a", "a");
              m.write("/e/b", "b");
            },
            m -> m.namespace().rename(FsPath.parse("/d/a"), FsPath.parse("/e/c"), false),
            before,
            with(without(before, "/d/a"), "/e/c", LONG)));
  }

  @Test
  void renameOfTheDirectory() {
    explore(
        experiment(
            "rename of a directory with shards",
            ShardedStoppingPointsTest::three,
            m -> m.namespace().rename(FsPath.parse("/d"), FsPath.parse("/e"), false),
            THREE,
            Map.of("/e/", "", "/e/a", LONG, "/e/b", "b", "/e/c", "c")));
  }

  /** It goes at one instant, unlike a tree. */
  @Test
  void removalOfTheDirectory() {
    explore(
        experiment(
            "removal of a directory with shards",
            ShardedStoppingPointsTest::three,
            m -> m.namespace().delete(FsPath.parse("/d"), true),
            THREE,
            Map.of()));
  }

  @Test
  void removalFromADirectoryWithShards() {
    Map<String, String> before =
        with(THREE, "/d/s/", "", "/d/s/a", "a", "/d/s/b", "b", "/d/s/c", "c");
    explore(
        experiment(
            "removal of a directory with shards from another",
            m -> {
              three(m);
              m.write("/d/s/a", "a");
              m.write("/d/s/b", "b");
              m.write("/d/s/c", "c");
              assertThat(m.shards("/d/s")).isEqualTo(2);
            },
            m -> m.namespace().delete(FsPath.parse("/d/s"), true),
            before,
            THREE));
  }

  @Test
  void removalOfTheDirectoryWhenEmpty() {
    explore(
        experiment(
            "removal of an empty directory with shards",
            m -> {
              three(m);
              for (String name : THREE.keySet()) {
                if (!name.endsWith("/")) {
                  m.namespace().delete(FsPath.parse(name), false);
                }
              }
            },
            m -> m.namespace().delete(FsPath.parse("/d"), false),
            Map.of("/d/", ""),
            Map.of()));
  }
}
