// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The same where every directory of more than one child has its names in two shards. */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class ShardedCommitStoppingPointsTest extends CommitStoppingPointsTest {

  @Override
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(1, 2));
  }
}
