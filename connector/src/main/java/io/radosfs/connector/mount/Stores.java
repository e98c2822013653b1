// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools of one file system, in its namespace. Each pool is opened when it is first needed.
 * Thread-safe.
 */
final class Stores implements DataStores, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Stores.class);

  private static final Pattern PORT = Pattern.compile(":[0-9]+$");

  private final Cluster cluster;
  private final Authority authority;
  private final UnaryOperator<ObjectStore> decorator;
  private final AccessErrors errors;
  private final Map<String, CompletableFuture<FirstWriteStore>> open = new HashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  private volatile FirstWriteStore.BeforeWrite beforeWrite = () -> {};
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

  /** Sets what is done before each write. */
  void setBeforeWrite(FirstWriteStore.BeforeWrite before) {
    beforeWrite = before;
  }

  synchronized String dataPool() {
    return dataPool;
  }

  ObjectStore index() throws IOException {
    return of(authority.pool());
  }

  /** The pool of the index, before which nothing is done: for the superblock. */
  ObjectStore superblockStore() throws IOException {
    return store(authority.pool()).unguarded();
  }

  ObjectStore data() throws IOException {
    return of(dataPool());
  }

  @Override
  public ObjectStore of(FileData file) throws IOException {
    return of(file.pool().orElseGet(this::dataPool));
  }

  /** Returns the store of a pool. */
  ObjectStore of(String pool) throws IOException {
    return store(pool);
  }

  /** Returns the stores of those of the pools that are still in the cluster. */
  List<ObjectStore> inCluster(Collection<String> pools) throws IOException {
    List<ObjectStore> stores = new ArrayList<>();
    for (String pool : pools) {
      try {
        stores.add(of(pool));
      } catch (NoSuchPoolException e) {
        LOG.debug("{}: a layout named pool {}, which is gone", authority, pool, e);
      }
    }
    return stores;
  }

  /** Opens it not under the lock, as a pool that is not in the client's map is waited for. */
  private FirstWriteStore store(String pool) throws IOException {
    while (true) {
      CompletableFuture<FirstWriteStore> opening = new CompletableFuture<>();
      CompletableFuture<FirstWriteStore> first;
      synchronized (this) {
        if (closed) {
          throw refusal();
        }
        first = open.putIfAbsent(pool, opening);
      }
      if (first == null) {
        return openFirst(pool, opening);
      }
      Optional<FirstWriteStore> opened = opened(first);
      if (opened.isPresent()) {
        return opened.get();
      }
    }
  }

  private FirstWriteStore openFirst(String pool, CompletableFuture<FirstWriteStore> opening)
      throws IOException {
    try {
      FirstWriteStore store =
          new FirstWriteStore(
              new DenialExplainingStore(
                  decorator.apply(open(pool)), failure -> noticed(pool, failure)),
              () -> beforeWrite.run());
      opening.complete(store);
      return store;
    } catch (IOException | RuntimeException | Error e) {
      boolean givenUp = forget(pool, opening);
      opening.completeExceptionally(e);
      if (givenUp) {
        IOException refusal = refusal();
        refusal.addSuppressed(e);
        throw refusal;
      }
      throw e;
    }
  }

  private IOException noticed(String pool, IOException failure) {
    if (failure instanceof StoreException e && e.is(Kind.POOL_GONE)) {
      gone.add(pool);
    }
    return errors.explain(pool, failure);
  }

  /** Whether an operation has found that a pool is no longer the one that was opened. No cost. */
  boolean isAnyGone() {
    return !gone.isEmpty();
  }

  /** Whether that is so of the pool of the index, and with it of the superblock. No cost. */
  boolean isIndexGone() {
    return gone.contains(authority.pool());
  }

  /** The next call tries again. Returns whether all is closed by now. */
  private synchronized boolean forget(String pool, CompletableFuture<FirstWriteStore> opening) {
    boolean unused = open.remove(pool, opening);
    return closed;
  }

  /** What another thread opens, or has opened; empty if that thread was interrupted. */
  private static Optional<FirstWriteStore> opened(CompletableFuture<FirstWriteStore> first)
      throws IOException {
    try {
      return Optional.of(Await.get(first));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (e.getCause() instanceof InterruptedIOException) {
        return Optional.empty();
      }
      if (e.getCause() instanceof NoSuchPoolException) {
        throw new NoSuchPoolException(e.getMessage(), e);
      }
      throw e;
    }
  }

  private IOException refusal() {
    return cluster.isBlocklisted()
        ? new StoreException(
            Kind.BLOCKLISTED,
            "",
            authority
                + ": the cluster had blocklisted the connection by which this was begun; it has"
                + " failed, begin it anew")
        : new IOException(authority + ": Filesystem closed");
  }

  private ObjectStore open(String pool) throws IOException {
    try {
      return cluster.open(pool, authority.namespace());
    } catch (StoreException e) {
      if (!e.is(Kind.NOT_FOUND)) {
        throw e;
      }
      String role = pool.equals(authority.pool()) ? "" : ", which holds data of its files";
      throw new NoSuchPoolException(
          authority
              + ": the cluster has no pool '"
              + pool
              + "'"
              + role
              + "."
              + (PORT.matcher(pool).find()
                  ? " No port belongs into the URI: the monitors' addresses are in ceph.conf."
                  : "")
              + " Correct the name, or create it: `ceph osd pool create "
              + pool
              + "` and `ceph osd pool application enable "
              + pool
              + " radosfs`",
          e);
    }
  }

  /**
   * Closes the pools, also those that are being opened. That waits for what is under way, and not
   * under the lock: answers come in a thread that goes on with what depends on them, such as the
   * next part of a read, and asks for a store.
   */
  @Override
  public void close() throws IOException {
    FirstFailure failure = new FirstFailure();
    for (CompletableFuture<FirstWriteStore> store : giveUpAll()) {
      failure.attempt(() -> close(store));
    }
    failure.rethrow();
  }

  private static void close(CompletableFuture<FirstWriteStore> opening) throws IOException {
    Optional<FirstWriteStore> store =
        opening.handle((opened, failed) -> Optional.ofNullable(opened)).join();
    if (store.isPresent()) {
      store.get().close();
    }
  }

  /** From now on there is no store; returns those that there were. */
  private synchronized List<CompletableFuture<FirstWriteStore>> giveUpAll() {
    closed = true;
    List<CompletableFuture<FirstWriteStore>> all = new ArrayList<>(open.values());
    open.clear();
    return all;
  }
}
