// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tree is renamed, and another client makes directories where it goes. If the rename fails, these
 * are that client's own: they have nothing of the tree, neither its layouts nor its identities.
 */
@Tag("exploration")
class MadeWhereATreeGoesTest {

  /** More than the rename has. */
  private static final int OPERATIONS = 60;

  private static final DataLayout EC = new DataLayout(Optional.of("ec"), Optional.of(4));

  @Test
  void theyAreTheOtherClientsOwn() throws IOException {
    int both = 0;
    for (int first = 1; first < OPERATIONS; first++) {
      for (int second = first + 1; second <= OPERATIONS; second++) {
        both += renameWith(first, second) ? 1 : 0;
      }
    }
    assertThat(both).as("renames that failed for directories that were made").isPositive();
  }

  private static boolean renameWith(int first, int second) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL, "ec");
    SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
    setup.mkdirs("/b/c");
    DataLayout unused = setup.layouts().change(path("/b/c"), before -> EC);
    setup.ledger().close();
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    SimulatedClient client = cluster.client("a");
    int[] done = new int[1];
    client
        .faults()
        .always(
            op -> {
              done[0]++;
              if (done[0] == first) {
                make(other, "/a");
              } else if (done[0] == second) {
                make(other, "/a/c");
              }
              return false;
            },
            Fault.CRASH_BEFORE);
    boolean renamed = true;
    try {
      SimulatedMount.of(client).namespace().rename(path("/b"), path("/a"), false);
    } catch (IOException e) {
      renamed = false;
    }

    SimulatedMount reader = SimulatedMount.of(cluster.client("reader"));
    PoolChecker.check(cluster, SimulatedMount.POOL, "ec");
    Optional<Entry> made = reader.namespace().lookup(path("/a/c"));
    Optional<Entry> moved = reader.namespace().lookup(path("/b/c"));
    String when = "made at operations " + first + " and " + second;
    assertThat(moved.isPresent()).as(when).isEqualTo(!renamed);
    if (made.isEmpty() || moved.isEmpty()) {
      return false;
    }
    assertThat(made.get().uid()).as(when).isNotEqualTo(moved.get().uid());
    assertThat(reader.layouts().of(path("/a/c"))).as(when).isEqualTo(DataLayout.DEFAULT);
    return true;
  }

  private static void make(SimulatedMount other, String directory) {
    try {
      other.mkdirs(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
