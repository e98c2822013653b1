// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pool consent: whether a pool agrees to hold data of a file system whose index is in another pool.
 *
 * <p>Any client with write access to the index pool may have written what an index, a ledger or a
 * job record says about data. A client that removes data on that basis may have more rights than
 * the writer had, in a pool that the writer may only read, or not even that. So the data pool
 * itself must say that the file system's data is in it, by an object that only a client with write
 * access there can make ({@link ObjectNames#dataOf}). {@code radosfs format --data-pool} and {@code
 * radosfs layout set --data-pool} make it: a user names both pools, and stored data never causes
 * it. The index pool needs no such object.
 *
 * <p>Pool consent has limits. File systems whose data is in one namespace of one pool must trust
 * each other's writers. A client that may write an index can have the data of the index's own files
 * removed.
 *
 * <p>Thread-safe.
 */
public final class PoolConsent {

  private final String indexPool;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public PoolConsent(String indexPool) {
    this.indexPool = indexPool;
  }

  /** Makes the pool agree. One write; none for the index pool. */
  public void askFor(ObjectStore data) throws IOException {
    if (data.pool().equals(indexPool)) {
      return;
    }
    WriteOp op = WriteOp.builder().createIfMissing().build();
    RepeatableOps.repeat(() -> data.write(ObjectNames.dataOf(indexPool), op));
    boolean unused = known.add(data.pool());
  }

  /**
   * Checks that the pool agrees. One read for each pool, the first time; none for the index pool.
   *
   * @throws ForeignPoolException if it does not agree
   */
  public void require(ObjectStore data) throws IOException {
    String pool = data.pool();
    if (pool.equals(indexPool) || known.contains(pool)) {
      return;
    }
    ReadOp op = ReadOp.builder().size().build();
    if (Reads.find(data, ObjectNames.dataOf(indexPool), op).isEmpty()) {
      throw new ForeignPoolException(pool, indexPool);
    }
    boolean unused = known.add(pool);
  }

  /** Returns the same stores, but throws {@link ForeignPoolException} if a pool disagrees. */
  public DataStores agreeing(DataStores stores) {
    return file -> {
      ObjectStore store = stores.of(file);
      require(store);
      return store;
    };
  }
}
