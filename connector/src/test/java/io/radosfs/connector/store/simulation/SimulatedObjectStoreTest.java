// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ObjectStoreContract;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The simulation does what RADOS does. */
@Execution(ExecutionMode.CONCURRENT)
class SimulatedObjectStoreTest extends ObjectStoreContract {

  private final SimulatedCluster simulated =
      SimulatedCluster.withPools("meta").addErasureCodedPool("ec");

  @Override
  protected Cluster cluster() {
    return simulated.client("a");
  }

  @Override
  protected String pool() {
    return "meta";
  }

  @Override
  protected PoolAdministration pools() {
    return new PoolAdministration() {
      @Override
      public void create(String pool) {
        simulated.addReplicatedPool(pool);
      }

      @Override
      public void remove(String pool) {
        simulated.removePool(pool);
      }

      @Override
      public void rename(String pool, String newName) {
        simulated.renamePool(pool, newName);
      }
    };
  }

  @Override
  protected Optional<String> erasureCodedPool() {
    return Optional.of("ec");
  }

  @Override
  protected Optional<Cluster> readOnlyCluster() {
    return Optional.of(
        simulated.client("reader").setAccess("meta", SimulatedClient.Access.READ_ONLY));
  }
}
