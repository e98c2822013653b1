// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The same where every directory of more than one child has its names in two shards. */
class ShardedCollectionTest extends CollectionTest {

  private static final String LONG = "more than one stripe of it";

  @Override
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(1, 2));
  }

  /** It makes shards for a directory that others have split and removed since, and dies. */
  @Test
  void afterASplitThatCameTooLate() {
    experiment(
            "collect after a split that came too late",
            m -> {
              m.whole().write("/d/a", LONG);
              m.whole().write("/d/c", LONG);
            },
            m -> {
              boolean unused = m.wiring().splitter().splitIfLarge(FsPath.parse("/d"), 0);
            })
        .program("remover", client -> mount(client).namespace().delete(FsPath.parse("/d"), true))
        .everyInsertionThenCrash();
  }
}
