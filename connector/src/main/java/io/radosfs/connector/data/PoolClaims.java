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
 * Whether a pool agrees to hold the data of a file system whose index is in another.
 *
 * <p>What an index, a ledger or a job's record says of data was written by whoever may write to the
 * pool of the index. Whoever removes data on its word may have more rights than that: in a pool
 * that the writer may only read, or not even that. So such a pool must itself say that the file
 * system's data is in it, by an object that only a client that may write there can make ({@link
 * ObjectNames#dataOf}). It is made by {@code radosfs format --data-pool} and {@code radosfs layout
 * set --data-pool}: by somebody who names both pools, and never because of what is stored. The pool
 * of the index needs none.
 *
 * <p>What it does not do: file systems whose data is in one namespace of one pool must trust each
 * other's writers, and who may write an index may have the data of its own files removed.
 *
 * <p>Thread-safe.
 */
public final class PoolClaims {

  private final String indexPool;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public PoolClaims(String indexPool) {
    this.indexPool = indexPool;
  }

  /** Has the pool agree. One write; none for the pool of the index. */
  public void claim(ObjectStore data) throws IOException {
    if (data.pool().equals(indexPool)) {
      return;
    }
    WriteOp op = WriteOp.builder().createIfMissing().build();
    RepeatableOps.repeat(() -> data.write(ObjectNames.dataOf(indexPool), op));
    boolean unused = known.add(data.pool());
  }

  /**
   * Makes sure that the pool agrees. One read for each pool, the first time; none for the pool of
   * the index.
   *
   * @throws ForeignPoolException when it does not
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

  /** The same stores, but for pools that do not agree. */
  public DataStores agreeing(DataStores stores) {
    return file -> {
      ObjectStore store = stores.of(file);
      require(store);
      return store;
    };
  }
}
