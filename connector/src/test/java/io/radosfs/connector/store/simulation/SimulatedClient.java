// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * One process's connection to a {@link SimulatedCluster}. Its operations are numbered from 1, over
 * all stores that it opens, in the order of submission; its {@link #faults()} decide which of them
 * go wrong.
 */
public final class SimulatedClient implements Cluster {

  /** What a client's key lets it do in a pool. */
  public enum Access {
    FULL,
    READ_ONLY,
    NONE
  }

  private final SimulatedCluster cluster;
  private final String name;
  private final FaultPlan faults = new FaultPlan();
  private final Map<String, Access> access = new HashMap<>();
  private volatile Optional<String> userKey = Optional.empty();
  private int writes;
  private int reads;
  private int connection;
  private int openConnections;
  private int blocklisted = -1;
  private int told = -1;
  private volatile ClientCrashed crash;
  private final VirtualPauses pauses = new VirtualPauses();
  private final AtomicLong retried = new AtomicLong();
  private volatile long clockAhead;
  private volatile UnaryOperator<ObjectStore> decorator = UnaryOperator.identity();

  SimulatedClient(SimulatedCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  public String name() {
    return name;
  }

  /** The cluster behind it, for tests. */
  public SimulatedCluster cluster() {
    return cluster;
  }

  /** The one loop of what it does, which waits in a time of its own. */
  public Retries retries() {
    return new Retries(pauses, retried::incrementAndGet);
  }

  /** Looks again of that loop so far. */
  public long retried() {
    return retried.get();
  }

  /** Nanoseconds that it has waited for others. */
  public long waited() {
    return pauses.nanoTime();
  }

  /** Has all stores that it opens from now on wrapped, as a mount wraps those of librados. */
  public SimulatedClient decorating(UnaryOperator<ObjectStore> stores) {
    decorator = stores;
    return this;
  }

  /** Sets its clock forward, or back, from where it was at first. */
  public void setClockAhead(long millis) {
    clockAhead = millis;
  }

  /** Milliseconds that its clock is ahead of what it was at first. */
  public long clockAhead() {
    return clockAhead;
  }

  /**
   * Has a helper thread of its own do something, in an order that the scheduler chooses; false
   * where there is no scheduler, or helpers enough.
   */
  public boolean fork(Runnable work) {
    return cluster.gate().fork(name, work);
  }

  /** Waits for what a helper brings about; to be called by the program, or a helper. */
  public void await(BooleanSupplier done) throws InterruptedException {
    if (!done.getAsBoolean()) {
      cluster.gate().await(name, done);
    }
  }

  /** A call has returned: whoever helped it is to do nothing any more. */
  public void returned() {
    cluster.gate().returned(name);
  }

  /** What is to go wrong for this client. */
  public FaultPlan faults() {
    return faults;
  }

  /** Whether it has died, whatever its program made of that. */
  public boolean crashed() {
    return crash != null;
  }

  /** The operations submitted so far. */
  public synchronized int ops() {
    return writes + reads;
  }

  public synchronized int writes() {
    return writes;
  }

  public synchronized int reads() {
    return reads;
  }

  /** Limits what the client may do in a pool from now on. */
  public synchronized SimulatedClient setAccess(String pool, Access allowed) {
    access.put(pool, allowed);
    return this;
  }

  /** Kills the client from outside: its next operation, and each later one, throws. */
  public ClientCrashed crash(String reason) {
    if (crash == null) {
      crash = new ClientCrashed(name + ": " + reason);
    }
    return crash;
  }

  /**
   * Has every operation refused from now on that comes by a store opened so far. What is under way
   * never takes effect.
   */
  public SimulatedClient blocklist() {
    synchronized (this) {
      blocklisted = connection;
    }
    cluster.dropDelayed(name);
    return this;
  }

  /** Whether it is blocklisted and has not connected anew. */
  @Override
  public synchronized boolean isBlocklisted() {
    return blocklisted == connection;
  }

  /**
   * Connects anew, by an address that is not blocklisted: stores opened from now on work, those
   * opened before stay as they are.
   */
  public synchronized SimulatedClient connectAnew() {
    connection++;
    return this;
  }

  /**
   * A connection of its own, as a process has it that connects: anew, if this one is blocklisted.
   * Like a real one it knows of that once an operation was answered so.
   */
  public synchronized Cluster connect() {
    if (isBlocklisted()) {
      connection++;
    }
    openConnections++;
    return new SimulatedConnection(connection);
  }

  /** Connections that were made by {@link #connect} and are not closed. */
  public synchronized int openConnections() {
    return openConnections;
  }

  /** Gives the user a key, as this client's process sees it. */
  public synchronized SimulatedClient userKey(String key) {
    userKey = Optional.of(key);
    return this;
  }

  private final class SimulatedConnection implements Cluster {
    private final int number;
    private boolean closed;

    private SimulatedConnection(int number) {
      this.number = number;
    }

    @Override
    public ObjectStore open(String pool, String namespace) throws StoreException {
      return SimulatedClient.this.open(pool, namespace, number);
    }

    @Override
    public boolean isBlocklisted() {
      return isTold(number);
    }

    @Override
    public String address() {
      return name + "/" + number;
    }

    @Override
    public String fsid() {
      return SimulatedClient.this.fsid();
    }

    @Override
    public ClusterStatus status() {
      return SimulatedClient.this.status();
    }

    @Override
    public Optional<String> userKey() {
      return userKey;
    }

    @Override
    public void close() {
      synchronized (SimulatedClient.this) {
        openConnections -= closed ? 0 : 1;
        closed = true;
      }
    }
  }

  synchronized boolean isTold(int number) {
    return told >= number;
  }

  synchronized void tellBlocklisted(int number) {
    told = Math.max(told, number);
  }

  synchronized boolean isBlocklisted(OpInfo op) {
    return op.connection() <= blocklisted;
  }

  @Override
  public ObjectStore open(String pool, String namespace) throws StoreException {
    synchronized (this) {
      return open(pool, namespace, connection);
    }
  }

  private ObjectStore open(String pool, String namespace, int number) throws StoreException {
    SimulatedPool opened =
        cluster
            .pool(pool)
            .orElseThrow(() -> new StoreException(Kind.NOT_FOUND, "", "no pool named " + pool));
    return decorator.apply(new SimulatedObjectStore(this, pool, opened, namespace, number));
  }

  @Override
  public synchronized String address() {
    return name + "/" + connection;
  }

  @Override
  public String fsid() {
    return "00000000-0000-0000-0000-000000000000";
  }

  @Override
  public ClusterStatus status() {
    return cluster.status();
  }

  /** Changes nothing: a client can be used by one program after another. */
  @Override
  public void close() {}

  synchronized OpInfo number(
      int connected, boolean write, String pool, String namespace, String object, Words words) {
    int ordinal = write ? ++writes : ++reads;
    return new OpInfo(
        name, connected, writes + reads, ordinal, write, pool, namespace, object, words);
  }

  void requireAlive(OpInfo op) {
    if (crash != null) {
      ClientCrashed again = new ClientCrashed("already dead at " + op);
      again.initCause(crash);
      throw again;
    }
  }

  synchronized void requireAccess(OpInfo op) throws StoreException {
    Access allowed = access.getOrDefault(op.pool(), Access.FULL);
    if (allowed == Access.NONE || (allowed == Access.READ_ONLY && op.write())) {
      throw SimulatedCluster.failure(
          op, Kind.PERMISSION_DENIED, "client " + name + " may not: " + op);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
