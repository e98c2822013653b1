// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The pools of one file system, in its namespace. Each pool is opened when it is first needed.
 * Thread-safe.
 */
final class Stores implements DataStores, Closeable {

  private final Cluster cluster;
  private final Authority authority;
  private final UnaryOperator<ObjectStore> decorator;
  private final AccessErrors errors;
  private final Map<String, ObjectStore> open = new HashMap<>();
  private String dataPool;
  private boolean closed;

  /**
   * @param user the Ceph user, for errors
   * @param decorator wraps every store
   */
  Stores(Cluster cluster, Authority authority, String user, UnaryOperator<ObjectStore> decorator) {
    this.cluster = cluster;
    this.authority = authority;
    this.decorator = decorator;
    this.errors = new AccessErrors(authority, user, this::dataPool);
    this.dataPool = authority.pool();
  }

  /** Sets the pool of files that do not name one. */
  synchronized void setDataPool(String pool) {
    dataPool = pool;
  }

  synchronized String dataPool() {
    return dataPool;
  }

  ObjectStore index() throws IOException {
    return of(authority.pool());
  }

  synchronized ObjectStore data() throws IOException {
    return of(dataPool);
  }

  @Override
  public synchronized ObjectStore of(FileData file) throws IOException {
    return of(file.pool().orElse(dataPool));
  }

  /** Returns the store of a pool. */
  synchronized ObjectStore of(String pool) throws IOException {
    if (closed) {
      throw cluster.isBlocklisted()
          ? new StoreException(
              Kind.BLOCKLISTED,
              "",
              authority
                  + ": the cluster had blocklisted the connection by which this was begun; it has"
                  + " failed, begin it anew")
          : new IOException(authority + ": Filesystem closed");
    }
    ObjectStore store = open.get(pool);
    if (store == null) {
      store =
          new DenialExplainingStore(
              decorator.apply(open(pool)), failure -> errors.explain(pool, failure));
      open.put(pool, store);
    }
    return store;
  }

  private ObjectStore open(String pool) throws IOException {
    try {
      return cluster.open(pool, authority.namespace());
    } catch (StoreException e) {
      if (!e.is(Kind.NOT_FOUND)) {
        throw e;
      }
      String role = pool.equals(authority.pool()) ? "" : ", which holds data of its files,";
      throw new NoSuchPoolException(
          authority
              + ": the cluster has no pool '"
              + pool
              + "'"
              + role
              + ". Correct the name, or create it: `ceph osd pool create "
              + pool
              + "` and `ceph osd pool application enable "
              + pool
              + " radosfs`",
          e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    FirstFailure failure = new FirstFailure();
    for (ObjectStore store : open.values()) {
      failure.attempt(store::close);
    }
    open.clear();
    failure.rethrow();
  }
}
