// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A directory is removed, or moved, while a file is renamed out of it or into it, and the rename's
 * mark is damaged in between: the file's data stays under one of its names, or goes with the one
 * that is deleted, and no name of it without data is left.
 */
class UnmarkedDeletionTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private SimulatedMount others;
  private boolean damaged;

  @BeforeEach
  void aTree() throws IOException {
    others = SimulatedMount.of(cluster.client("others"));
    others.write("/a/b/other", "o");
    others.write("/c/other", "o");
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /** What happens in the middle of a rename. */
  private interface Meanwhile {
    void run() throws IOException;
  }

  /**
   * Renames a file. Once its intent is written and before the rename is decided, loses the mark in
   * the index object of the old name, and runs something.
   */
  private void rename(String from, String to, Meanwhile meanwhile) throws IOException {
    SimulatedClient client = cluster.client("mover");
    SimulatedMount mover = SimulatedMount.of(client);
    client
        .faults()
        .before(
            op -> {
              if (op.write() && op.summary().contains("e/moved") && !damaged) {
                damaged = true;
                loseMark(from);
                meanwhile.run();
              }
            });
    mover.namespace().rename(path(from), path(to), false);
    assertThat(damaged).isTrue();
  }

  private void loseMark(String file) throws IOException {
    String name = "p/" + path(file).name();
    for (var object : cluster.objects(SimulatedMount.POOL, "").entrySet()) {
      if (object.getValue().omap().containsKey(name)) {
        List<String> marks =
            object.getValue().omap().keySet().stream().filter(k -> k.startsWith("t/")).toList();
        assertThat(marks).hasSize(1);
        others.store().write(object.getKey(), WriteOp.builder().removeOmap(marks).build());
        return;
      }
    }
    throw new AssertionError("no intent on " + file);
  }

  private void assertRefused(Meanwhile change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("has a write intent")
        .hasMessageContaining("rmomapkey");
  }

  private void delete(String directory) throws IOException {
    assertThat(others.namespace().delete(path(directory), true)).isTrue();
  }

  /** What there is, read to its end: fails if data is missing. */
  private SortedMap<String, String> tree() throws IOException {
    return SimulatedMount.of(cluster.client("reader")).tree();
  }

  private void renamedOutOfADirectoryThatIsNotDeletedMeanwhile() throws IOException {
    rename("/a/b/f", "/c/moved", () -> assertRefused(() -> delete("/a/b")));
    assertThat(tree()).containsEntry("/c/moved", "data");
    delete("/a/b");
    assertThat(tree()).containsEntry("/c/moved", "data").doesNotContainKey("/a/b/");
  }

  @Test
  void aDirectoryIsNotDeletedWithAFileThatIsBeingRenamedOutOfIt() throws IOException {
    others.write("/a/b/f", "data");
    renamedOutOfADirectoryThatIsNotDeletedMeanwhile();
  }

  @Test
  void norOneWithShards() throws IOException {
    SimulatedMount sharding = SimulatedMount.of(cluster.client("sharding"), new Sharding(1, 2));
    sharding.write("/a/b/g", "g");
    sharding.write("/a/b/f", "data");
    sharding.ledger().close();
    assertThat(sharding.shards("/a/b")).isGreaterThan(1);
    renamedOutOfADirectoryThatIsNotDeletedMeanwhile();
  }

  @Test
  void norIsItRenamedWithTheFile() throws IOException {
    others.write("/a/b/f", "data");
    rename(
        "/a/b/f",
        "/c/moved",
        () ->
            assertRefused(
                () -> others.namespace().rename(path("/a/b"), path("/a/elsewhere"), false)));
    assertThat(tree()).containsEntry("/c/moved", "data");
    others.namespace().rename(path("/a/b"), path("/a/elsewhere"), false);
    assertThat(tree()).doesNotContainKey("/a/elsewhere/f");
  }

  /** The rename is aborted by the deletion, tried again, and finds no directory. */
  @Test
  void aFileThatIsBeingRenamedIntoADirectoryThatIsDeletedStays() throws IOException {
    others.write("/c/f", "data");
    assertThatThrownBy(() -> rename("/c/f", "/a/b/moved", () -> delete("/a/b")))
        .isInstanceOf(IOException.class);
    assertThat(tree()).containsEntry("/c/f", "data").doesNotContainKey("/a/b/");
  }

  @Test
  void aFileThatWasRenamedIntoADirectoryHasItsOldNameNoMore() throws IOException {
    others.write("/c/f", "data");
    rename("/c/f", "/a/b/moved", () -> {});
    assertThat(tree()).containsEntry("/a/b/moved", "data").doesNotContainKey("/c/f");
    delete("/a/b");
    assertThat(tree()).doesNotContainKey("/c/f");
  }

  /** In the shards nothing would hold the name any more. */
  @Test
  void norIsItSplit() throws IOException {
    others.write("/a/b/f", "data");
    SimulatedMount sharding = SimulatedMount.of(cluster.client("sharding"), new Sharding(1, 2));
    rename(
        "/a/b/f",
        "/c/moved",
        () -> {
          sharding.write("/a/b/g", "g");
          sharding.write("/a/b/h", "h");
          assertThat(sharding.shards("/a/b")).isEqualTo(1);
          assertRefused(() -> delete("/a/b"));
        });
    assertThat(tree()).containsEntry("/c/moved", "data").doesNotContainKey("/a/b/f");
  }

  @Test
  void aFileThatIsUnderBothNamesIsFoundByACheck() throws IOException {
    others.write("/c/f", "data");
    rename(
        "/c/f",
        "/a/b/moved",
        () -> others.store().write("c/", WriteOp.builder().removeOmap("p/f").build()));
    others.ledger().close();
    assertThat(SimulatedMount.of(cluster.client("checker")).check().run(false).findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.SHARED);
  }
}
