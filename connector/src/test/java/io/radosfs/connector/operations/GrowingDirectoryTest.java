// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A client counts what it adds to a directory, however it is added. */
class GrowingDirectoryTest {

  private static final int NAMES = 10;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount splitting() throws IOException {
    return SimulatedMount.of(cluster.client("splitting"), new Sharding(4, 2));
  }

  @Test
  void byFilesThatAreWritten() throws IOException {
    SimulatedMount mount = splitting();
    for (int i = 0; i < NAMES; i++) {
      mount.write("/d/" + i, "");
    }
    assertThat(mount.shards("/d")).isEqualTo(2);
  }

  /** As by a committer that renames, or {@code hadoop fs -mv}. */
  @Test
  void byFilesThatAreRenamedIntoIt() throws IOException {
    SimulatedMount whole = SimulatedMount.of(cluster.client("whole"));
    for (int i = 0; i < NAMES; i++) {
      whole.write("/tmp/" + i, "");
    }
    whole.mkdirs("/d");
    SimulatedMount mount = splitting();
    for (int i = 0; i < NAMES; i++) {
      mount.namespace().rename(FsPath.parse("/tmp/" + i), FsPath.parse("/d/" + i), false);
    }
    assertThat(mount.shards("/d")).isEqualTo(2);
    assertThat(mount.tree()).hasSize(NAMES + 2);
  }
}
