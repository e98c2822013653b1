// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/**
 * A transaction of many names makes the index of a new directory with its first names. If others
 * remove that directory meanwhile, it makes the index again with its next names, and with the same
 * head.
 */
class OpenedAfterRemovalTest {

  private static final FsPath DIRECTORY = new FsPath("d");
  private static final String ID = "renaming";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private void makeIndex() throws IOException {
    IndexChange made =
        IndexChange.creating(DIRECTORY, IndexHead.opening(ID))
            .set(IndexKeys.transaction(ID), TransactionMark.keeping(FsPath.ROOT).encode())
            .transactional();
    assertThat(mount(ID).wiring().indexes().writer().apply(made)).isTrue();
  }

  private void removeAndMakeAgain() {
    try {
      assertThat(mount("removing").namespace().delete(DIRECTORY, true)).isTrue();
      makeIndex();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It has seen the directory before it was removed. */
  @Test
  void aClientThatIsLateOpensNoIndexOfADirectoryThatIsGone() throws IOException {
    makeIndex();
    SimulatedClient late = cluster.client("late");
    boolean[] removed = new boolean[1];
    late.faults()
        .before(
            op -> {
              if (op.write() && op.object().equals("d/") && !removed[0]) {
                removed[0] = true;
                removeAndMakeAgain();
              }
            });
    SimulatedMount.of(late).write("/d/g", "g");
    assertThat(removed[0]).isTrue();
    assertThat(mount("reader").tree()).containsOnlyKeys("/d/", "/d/g");
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }
}
