// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A namespace of a simulated pool, opened by one client. */
final class SimulatedObjectStore implements ObjectStore {

  private final SimulatedClient client;
  private final SimulatedCluster cluster;
  private final String pool;
  private final SimulatedPool opened;
  private final String namespace;
  private final int connection;
  private volatile boolean gone;
  private volatile boolean closed;

  /**
   * @param opened the pool that has the name {@code pool} now
   */
  SimulatedObjectStore(
      SimulatedClient client, String pool, SimulatedPool opened, String namespace, int connection) {
    this.client = client;
    this.cluster = client.cluster();
    this.pool = pool;
    this.opened = opened;
    this.namespace = Objects.requireNonNull(namespace);
    this.connection = connection;
  }

  @Override
  public String pool() {
    return pool;
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    answerInterrupt("not started");
    try {
      submit(object, op, true);
    } catch (StoreException e) {
      answerInterrupt("under way");
      throw e;
    }
    answerInterrupt("under way");
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    try {
      submit(object, op, false);
      return CompletableFuture.completedFuture(null);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    answerInterrupt("not started");
    ReadResult result;
    try {
      result = submit(object, op, true);
    } catch (StoreException e) {
      answerInterrupt("under way");
      throw e;
    }
    answerInterrupt("under way");
    return result;
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    try {
      return CompletableFuture.completedFuture(submit(object, op, false));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public Set<String> applications() throws IOException {
    requirePool("");
    return opened.applications();
  }

  @Override
  public PoolPlacement placement() {
    return new SimulatedPlacement(cluster, namespace);
  }

  @Override
  public PoolUsage usage() throws IOException {
    requirePool("");
    OpInfo op = begin(false, "", Words.of("usage"));
    try {
      return cluster.usage(client, op, opened);
    } finally {
      cluster.gate().after(op);
    }
  }

  @Override
  public void list(NameReader names) throws IOException {
    OpInfo op = begin(false, "", Words.of("list"));
    List<String> listed;
    try {
      listed = cluster.list(client, op, opened);
      requirePool("");
    } finally {
      cluster.gate().after(op);
    }
    for (String name : listed) {
      Await.checkInterrupt("listing the objects of pool " + pool());
      names.read(name);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /**
   * @param waits whether the caller waits for the answer, and so notices an interrupt
   */
  private void submit(String object, WriteOp write, boolean waits) throws StoreException {
    OpInfo op = begin(true, object, Words.of(write));
    try {
      if (cluster.write(client, op, opened, write, waits)) {
        cluster.gate().after(op);
        cluster.gate().before(op); // others may have their turns before it is there once more
        cluster.writeAgain(client, op, opened, write);
      }
    } catch (StoreException e) {
      throw noticed(op, e);
    } finally {
      cluster.gate().after(op);
    }
  }

  private ReadResult submit(String object, ReadOp read, boolean waits) throws StoreException {
    OpInfo op = begin(false, object, Words.of(read));
    try {
      return cluster.read(client, op, opened, read, waits);
    } catch (StoreException e) {
      throw noticed(op, e);
    } finally {
      cluster.gate().after(op);
    }
  }

  private StoreException noticed(OpInfo op, StoreException answer) {
    if (answer.is(Kind.BLOCKLISTED)) {
      client.tellBlocklisted(connection);
    }
    return answer.is(Kind.NOT_FOUND) && isGone() ? poolGone(answer.object(), op.write()) : answer;
  }

  /** Once it was found out, it stays so. */
  private boolean isGone() {
    gone |= cluster.pool(pool).filter(opened::equals).isEmpty();
    return gone;
  }

  private void requirePool(String object) throws StoreException {
    if (isGone()) {
      throw poolGone(object, false);
    }
  }

  private StoreException poolGone(String object, boolean mayHaveTakenEffect) {
    return new StoreException(
        Kind.POOL_GONE, object, "pool " + pool + " is another one now", null, mayHaveTakenEffect);
  }

  /** Numbers the operation and waits for its turn. */
  private OpInfo begin(boolean write, String object, Words words) throws StoreException {
    if (closed) {
      throw new StoreException(
          client.isTold(connection) ? Kind.BLOCKLISTED : Kind.OTHER,
          object,
          "the store of pool " + pool + " is closed");
    }
    if (gone) {
      throw poolGone(object, false);
    }
    if (Utf8Order.length(namespace) > SimulatedCluster.MAX_NAMESPACE_BYTES) {
      throw new StoreException(Kind.NAME_TOO_LONG, object, "namespace too long: " + namespace);
    }
    cluster.gate().entering(client.name());
    OpInfo op = client.number(connection, write, pool, namespace, object, words);
    client.requireAlive(op);
    cluster.gate().before(op);
    return op;
  }

  private static void answerInterrupt(String state) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted with an operation " + state);
    }
  }
}
