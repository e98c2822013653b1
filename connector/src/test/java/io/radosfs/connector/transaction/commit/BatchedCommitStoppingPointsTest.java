// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The same where an operation takes one name, so that nothing of several names is one operation.
 */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class BatchedCommitStoppingPointsTest extends CommitStoppingPointsTest {

  @Override
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(65_536, 64), new BatchLimit(1, 1));
  }
}
