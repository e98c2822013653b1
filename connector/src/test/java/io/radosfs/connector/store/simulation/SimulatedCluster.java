// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * A RADOS cluster in memory. Clients are opened with {@link #client}; all else is for tests: pools,
 * faults, copies of what is stored, the log.
 *
 * <p>Every operation takes effect at once, under one lock, in the order in which the calls arrive;
 * an asynchronous one at its submission, its future done when the call returns. Nothing depends on
 * time or chance, so a single-threaded program runs the same way each time.
 */
public final class SimulatedCluster {

  /** osd_max_object_name_len. */
  public static final int MAX_NAME_BYTES = 2048;

  /** osd_max_object_namespace_len. */
  public static final int MAX_NAMESPACE_BYTES = 256;

  /** osd_max_attr_name_len. */
  public static final int MAX_XATTR_NAME_BYTES = 100;

  /** osd_max_write_size, over all steps of an operation. */
  public static final long MAX_WRITE_BYTES = 90L << 20;

  /** osd_max_object_size. */
  public static final long MAX_OBJECT_BYTES = 128L << 20;

  /** osd_max_omap_entries_per_request. */
  public static final int MAX_OMAP_ENTRIES_PER_REQUEST = 1024;

  private static final long CAPACITY = 1L << 40;

  /**
   * A write that has not taken effect yet.
   *
   * @param overtaken whether its client's reads go before it, unless they keep their place
   * @param due the number of operations at which it does take effect
   */
  private record DelayedWrite(
      OpInfo op, SimulatedPool pool, WriteOp write, boolean overtaken, long due) {}

  private final Map<String, SimulatedPool> pools = new HashMap<>();
  private final Map<String, SimulatedClient> clients = new HashMap<>();
  private final List<DelayedWrite> delayed = new ArrayList<>();
  private final OpLog log = new OpLog();
  private List<String> hosts = List.of("localhost");
  private ClusterStatus status = new ClusterStatus("HEALTH_OK", Map.of(), 1, List.of("a"));
  private int monitorCommands;
  private long performed;
  private volatile OpGate gate = OpGate.OPEN;

  /** A cluster without pools. */
  public SimulatedCluster() {}

  /** A cluster with these replicated pools. */
  public static SimulatedCluster withPools(String... names) {
    SimulatedCluster cluster = new SimulatedCluster();
    for (String name : names) {
      cluster.addReplicatedPool(name);
    }
    return cluster;
  }

  /** One with the same pools, what is in them, and the log so far, and without clients. */
  synchronized SimulatedCluster copy() {
    if (!delayed.isEmpty()) {
      throw new IllegalStateException("writes have not taken effect yet: " + delayed);
    }
    SimulatedCluster copy = new SimulatedCluster();
    pools.forEach((name, pool) -> copy.pools.put(name, pool.copy()));
    copy.hosts = hosts;
    copy.status = status;
    copy.monitorCommands = monitorCommands;
    copy.performed = performed;
    log.entries().forEach(entry -> copy.log.add(entry.op(), entry.outcome()));
    return copy;
  }

  public synchronized SimulatedCluster addReplicatedPool(String name) {
    pools.put(name, new SimulatedPool(name, true));
    return this;
  }

  /**
   * A pool that refuses omap writes with UNSUPPORTED. As on a real one, reading its omap finds
   * nothing rather than failing.
   */
  public synchronized SimulatedCluster addErasureCodedPool(String name) {
    pools.put(name, new SimulatedPool(name, false));
    return this;
  }

  /** The machines of the OSDs, one on each; none, for monitors that do not tell. */
  public synchronized SimulatedCluster setHosts(String... names) {
    hosts = List.of(names);
    return this;
  }

  /** What the monitors tell of the cluster. */
  public synchronized SimulatedCluster setStatus(ClusterStatus told) {
    status = told;
    return this;
  }

  synchronized ClusterStatus status() {
    return status;
  }

  /** Commands that the monitors were given. */
  public synchronized int monitorCommands() {
    return monitorCommands;
  }

  synchronized List<String> askMonitors() {
    monitorCommands++;
    return hosts;
  }

  /** Tags a pool with applications, in place of those that it had; at first it has none. */
  public synchronized SimulatedCluster setApplications(String pool, String... names) {
    pools.get(pool).setApplications(Set.of(names));
    return this;
  }

  /** Takes a pool away, with all that is in it; one that is made in its place is another one. */
  public synchronized SimulatedCluster removePool(String name) {
    pools.remove(name).clear();
    return this;
  }

  /** Gives a pool another name. Stores that are open go on with it until they notice. */
  public synchronized SimulatedCluster renamePool(String name, String newName) {
    pools.put(newName, pools.remove(name));
    return this;
  }

  /** From now on, writes that take the pool's data beyond so many bytes fail with NO_SPACE. */
  public synchronized SimulatedCluster setQuota(String pool, long bytes) {
    pools.get(pool).setQuota(bytes);
    return this;
  }

  /** Another osd_max_write_size for a pool than {@link #MAX_WRITE_BYTES}. */
  public synchronized SimulatedCluster setMaxWriteBytes(String pool, long bytes) {
    pools.get(pool).setMaxWriteBytes(bytes);
    return this;
  }

  /** Whether the pool, as it is, is at its quota from now on, or has none. */
  public synchronized SimulatedCluster setAtQuota(String pool, boolean reached) {
    pools.get(pool).setAtQuota(reached);
    return this;
  }

  /**
   * Whether the pool takes, from now on, nothing but removals of whole objects, as at its quota or
   * when its OSDs are full; everything else fails with NO_SPACE.
   */
  public synchronized SimulatedCluster setFull(String pool, boolean full) {
    pools.get(pool).setFull(full);
    return this;
  }

  /**
   * How reads are answered that other copies than the primary's may answer: each how-manieth by one
   * that has not got the last change of the object's data. It may not have the object yet, still
   * have one that was removed, or an earlier one of that name.
   *
   * @param each 1 for all; 0, as at first, for none
   */
  public synchronized SimulatedCluster setCopiesBehind(String pool, int each) {
    pools.get(pool).setCopiesBehind(each);
    return this;
  }

  /**
   * Another osd_max_omap_entries_per_request for a pool than {@link #MAX_OMAP_ENTRIES_PER_REQUEST}:
   * whoever reads more gets it in pages.
   */
  public synchronized SimulatedCluster setMaxOmapEntries(String pool, int entries) {
    pools.get(pool).setMaxOmapEntries(entries);
    return this;
  }

  /** Takes a key of an object away, as another program may, in the default namespace of a pool. */
  public synchronized SimulatedCluster removeOmapKey(String pool, String object, String key) {
    pools.get(pool).removeOmapKey("", object, key);
    return this;
  }

  /** The client of this name, the same each time. A process that restarts needs another name. */
  public synchronized SimulatedClient client(String name) {
    return clients.computeIfAbsent(name, any -> new SimulatedClient(this, name));
  }

  /** Every operation so far. */
  public OpLog log() {
    return log;
  }

  /** Copies of all objects of a namespace, by name, in the order of their UTF-8 bytes. */
  public synchronized SortedMap<String, ObjectView> objects(String pool, String namespace) {
    return pools.get(pool).view(namespace);
  }

  /** The namespaces of the pool that hold objects. */
  public synchronized Set<String> namespaces(String pool) {
    return pools.get(pool).namespaces();
  }

  /** The data bytes that all clients have ever written to the pool. */
  public synchronized long dataBytesWritten(String pool) {
    return pools.get(pool).dataBytesWritten();
  }

  /** The data bytes that all clients have ever written. */
  public synchronized long dataBytesWritten() {
    return pools.values().stream().mapToLong(SimulatedPool::dataBytesWritten).sum();
  }

  /** How often data was written under this name, over all objects that ever had it. */
  public synchronized int dataWrites(String pool, String namespace, String object) {
    return pools.get(pool).dataWrites(namespace, object);
  }

  /**
   * Lets every delayed write take effect now, in order; one whose guards fail does nothing.
   *
   * @return how many there were
   */
  public synchronized int landDelayedOps() {
    int landed = delayed.size();
    delayed.forEach(this::land);
    delayed.clear();
    return landed;
  }

  /** The writes that have not taken effect yet. */
  public synchronized int delayedOps() {
    return delayed.size();
  }

  synchronized void dropDelayed(String client) {
    delayed.removeIf(write -> write.op().client().equals(client));
  }

  public void setGate(OpGate gate) {
    this.gate = gate;
  }

  OpGate gate() {
    return gate;
  }

  /** The pool of that name now; empty if there is none. */
  synchronized Optional<SimulatedPool> pool(String name) {
    return Optional.ofNullable(pools.get(name));
  }

  synchronized Set<String> clientNames() {
    return new HashSet<>(clients.keySet());
  }

  synchronized PoolUsage usage(SimulatedClient client, OpInfo op, SimulatedPool pool)
      throws StoreException {
    return perform(
        client,
        op,
        () ->
            PoolUsage.of(
                pool.bytes(),
                pool.objectCount(),
                CAPACITY - pool.bytes(),
                pool.quota(),
                0,
                pool.traffic()),
        null,
        null,
        false,
        false);
  }

  /** All names at one instant, which a real pool's listing does not promise. */
  synchronized List<String> list(SimulatedClient client, OpInfo op, SimulatedPool pool)
      throws StoreException {
    return perform(client, op, () -> pool.names(op.namespace()), null, null, false, false);
  }

  synchronized ReadResult read(
      SimulatedClient client, OpInfo op, SimulatedPool pool, ReadOp read, boolean waits)
      throws StoreException {
    return perform(
        client,
        op,
        () -> pool.read(op.namespace(), op.object(), read),
        null,
        null,
        !read.afterWrites(),
        waits);
  }

  /**
   * Returns whether librados sends it once more, {@link #writeAgain}: it has taken effect, or was
   * refused, and nobody has told the client.
   */
  synchronized boolean write(
      SimulatedClient client, OpInfo op, SimulatedPool pool, WriteOp write, boolean waits)
      throws StoreException {
    return perform(
        client,
        op,
        () -> {
          pool.write(op.namespace(), op.object(), write);
          return false;
        },
        new DelayedWrite(op, pool, write, false, Long.MAX_VALUE),
        true,
        false,
        waits);
  }

  /** Runs a write anew that the OSD does not know any more. */
  synchronized void writeAgain(SimulatedClient client, OpInfo op, SimulatedPool pool, WriteOp write)
      throws StoreException {
    client.requireAlive(op);
    performed++;
    land(late -> late.due() <= performed);
    landEarlierOnes(op, false);
    Boolean unused =
        apply(
            client,
            op,
            () -> {
              pool.write(op.namespace(), op.object(), write);
              return true;
            },
            " [once more]");
  }

  private interface Effect<T> {
    T run() throws StoreException;
  }

  /**
   * Runs one operation through the client's rights and fault plan, and logs what came of it.
   *
   * @param write what is delayed if it is to be; null for a read
   * @param sentAgain the answer that has a write sent once more; null for a read, which changes
   *     nothing
   * @param overtakes whether it is a read that does not wait for earlier writes
   * @param waits whether the caller waits for the answer, and so notices an interrupt
   */
  private <T> T perform(
      SimulatedClient client,
      OpInfo op,
      Effect<T> effect,
      DelayedWrite write,
      T sentAgain,
      boolean overtakes,
      boolean waits)
      throws StoreException {
    client.requireAlive(op);
    performed++;
    land(late -> late.due() <= performed);
    Optional<Fault> fault =
        client.isBlocklisted(op) ? Optional.empty() : client.faults().strike(op);
    landEarlierOnes(op, overtakes || fault.filter(Fault::isRefusal).isPresent());
    if (fault.isEmpty()) {
      return apply(client, op, effect, "");
    }
    String note = " [" + fault.get() + "]";
    switch (fault.get().action()) {
      case CRASH_BEFORE -> throw crash(client, op, note);
      case CRASH_AFTER -> {
        applyQuietly(client, op, effect, note);
        throw crash(client, op, note);
      }
      case CRASH_LATE -> {
        delay(write, fault.get());
        throw crash(client, op, note);
      }
      case LOSE_ANSWER -> {
        applyQuietly(client, op, effect, note);
        throw noAnswer(op, fault.get(), note);
      }
      case TWICE -> {
        applyQuietly(client, op, effect, note);
        return sentAgain == null ? apply(client, op, effect, note) : sentAgain;
      }
      case DELAY, OVERTAKEN -> {
        delay(write, fault.get());
        throw noAnswer(op, fault.get(), note);
      }
      case LOSE_REQUEST -> throw noAnswer(op, fault.get(), note);
      case FAIL -> throw refusal(op, fault.get().kind(), note);
      case FAIL_AFTER -> {
        T unused = apply(client, op, effect, note);
        throw refusal(op, fault.get().kind(), note);
      }
      case BLOCKLIST -> {
        client.blocklist();
        throw refusal(op, Kind.BLOCKLISTED, note);
      }
      case BLOCKLIST_AFTER -> {
        applyQuietly(client, op, effect, note);
        client.blocklist();
        throw refusal(op, Kind.BLOCKLISTED, note);
      }
      case INTERRUPT, INTERRUPT_AFTER, INTERRUPT_LATE, INTERRUPT_OVERTAKEN -> {
        boolean own = gate.interrupt(op);
        if (!own || !waits || fault.get().action() == Fault.Action.INTERRUPT_AFTER) {
          return apply(client, op, effect, note);
        }
        if (fault.get().action() != Fault.Action.INTERRUPT) {
          delay(write, fault.get());
        }
        throw noAnswer(op, fault.get(), note);
      }
    }
    throw new AssertionError(fault);
  }

  /**
   * Lets the client's delayed writes of the object take effect, which come before an operation.
   *
   * @param passes whether it does not wait for writes that reads overtake
   */
  private void landEarlierOnes(OpInfo op, boolean passes) {
    land(
        late ->
            late.op().client().equals(op.client())
                && late.op().isOfSameObject(op)
                && !(passes && late.overtaken()));
  }

  private <T> T apply(SimulatedClient client, OpInfo op, Effect<T> effect, String note)
      throws StoreException {
    try {
      if (client.isBlocklisted(op)) {
        throw failure(op, Kind.BLOCKLISTED, "client " + op.client() + " is blocklisted: " + op);
      }
      client.requireAccess(op);
      T answer = effect.run();
      log.add(op, "ok" + note);
      return answer;
    } catch (StoreException e) {
      log.add(op, e.kind() + note);
      throw e;
    }
  }

  private <T> void applyQuietly(SimulatedClient client, OpInfo op, Effect<T> effect, String note) {
    try {
      T unused = apply(client, op, effect, note);
    } catch (StoreException e) {
      // Nobody hears the answer; the log has it.
    }
  }

  private ClientCrashed crash(SimulatedClient client, OpInfo op, String note) {
    log.add(op, "client dead" + note);
    return client.crash("crashed" + note + " at " + op);
  }

  private StoreException noAnswer(OpInfo op, Fault fault, String note) {
    Kind kind = op.write() ? Kind.OUTCOME_UNKNOWN : Kind.TIMED_OUT;
    log.add(op, kind + note);
    StoreException none = new StoreException(kind, op.object(), "no answer" + note + " to " + op);
    return fault.inFull() ? none.afterWaitingInFull() : none;
  }

  private StoreException refusal(OpInfo op, Kind kind, String note) {
    log.add(op, kind + note);
    return failure(op, kind, "injected" + note + " at " + op);
  }

  /**
   * A failure that leaves open whether a write took effect where that of the errno does, see {@code
   * store.librados.Errno}; the kind OTHER stands for one that is not known.
   */
  static StoreException failure(OpInfo op, Kind kind, String message) {
    boolean open =
        switch (kind) {
          case NOT_FOUND,
              EXISTS,
              GUARD_FAILED,
              NO_SPACE,
              UNSUPPORTED,
              NAME_TOO_LONG,
              TOO_LARGE,
              TIMED_OUT ->
              false;
          case PERMISSION_DENIED, BLOCKLISTED, POOL_GONE, OUTCOME_UNKNOWN, OTHER -> true;
        };
    return new StoreException(kind, op.object(), message, null, open && op.write());
  }

  private void delay(DelayedWrite write, Fault fault) {
    if (write != null) {
      delayed.add(
          new DelayedWrite(
              write.op(),
              write.pool(),
              Steps.copy(write.write()),
              fault.isOvertaken(),
              fault.delay() == 0 ? Long.MAX_VALUE : performed + fault.delay()));
    }
  }

  /** Lets delayed writes take effect. RADOS keeps the order of one client's writes to an object. */
  private void land(Predicate<DelayedWrite> which) {
    for (Iterator<DelayedWrite> it = delayed.iterator(); it.hasNext(); ) {
      DelayedWrite write = it.next();
      if (which.test(write)) {
        it.remove();
        land(write);
      }
    }
  }

  private void land(DelayedWrite write) {
    OpInfo op = write.op();
    try {
      write.pool().write(op.namespace(), op.object(), write.write());
      log.add(op, "ok [late]");
    } catch (StoreException e) {
      log.add(op, e.kind() + " [late]");
    }
  }
}
