// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.util.Optional;

/** Jobs, and the overwrite locks that indexes of the simulation have. */
final class StoredLocks {

  private final SimulatedCluster cluster;

  StoredLocks(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** A job whose destination is a directory. */
  static Registration job(String id, FsPath destination) {
    return new Registration(id, destination, ObjectNames.job(destination, id));
  }

  /** A key of the index of a directory. */
  Optional<byte[]> stored(FsPath directory, String key) {
    return Optional.ofNullable(
        cluster.objects(SimulatedMount.POOL, "").get(ObjectNames.index(directory)).omap().get(key));
  }

  Optional<LockHolder> holder(FsPath directory) {
    return stored(directory, IndexKeys.OVERWRITE_LOCK).map(LockHolder::decode);
  }
}
