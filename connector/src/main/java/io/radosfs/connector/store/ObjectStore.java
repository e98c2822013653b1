// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One namespace of one RADOS pool: named objects, each with data, xattrs and an omap (a sorted map
 * of UTF-8 keys to byte strings, ordered by the keys' bytes).
 *
 * <p><b>Atomicity.</b> An operation, read or write, addresses one object and takes effect at one
 * instant. Its steps run in order; when a guard or any other step fails, the whole operation fails
 * with that step's error and changes nothing. Nothing is atomic across objects.
 *
 * <p><b>Order.</b> Operations of one caller that wait for each other are ordered. Asynchronous
 * operations under way at the same time take effect in any order. After a write that was not
 * answered, a read may still be faster than it, unless it is {@link ReadOp#afterWrites()}: once
 * such a read is answered, what it does not show of this store's earlier writes of the object never
 * takes effect.
 *
 * <p><b>Errors.</b> Every failure is a {@link StoreException}, whose {@link StoreException#kind()}
 * is decided in one place and whose message names the operation, the pool, the object and what to
 * do. The kinds that a caller handles:
 *
 * <ul>
 *   <li>{@code NOT_FOUND}: a read, a removal or {@code assertExists} met no such object (ENOENT).
 *   <li>{@code EXISTS}: an exclusive create met an object (EEXIST).
 *   <li>{@code GUARD_FAILED}: an omap or xattr comparison was false (ECANCELED).
 *   <li>{@code OUTCOME_UNKNOWN}: no answer in time (ETIMEDOUT, or this client's own bound): a write
 *       may have taken effect, may yet do so, or may never. Writes alone; a read that has no answer
 *       is {@code TIMED_OUT} and may be repeated.
 *   <li>{@code BLOCKLISTED}: this connection is cut off for good (ESHUTDOWN); to repeat anything on
 *       it is of no use. A write may have taken effect.
 * </ul>
 *
 * <p>Whether a write that failed may have taken effect all the same, each failure says itself
 * ({@link StoreException#mayHaveTakenEffect()}; {@link FailedWrite} for whoever catches more than
 * StoreExceptions): the kinds do not, as the errors of one kind are made in different places.
 *
 * <p>Guards come before changes, and see the object as it was before the operation. Omap guards on
 * a missing object fail with NOT_FOUND unless a create step comes before them, after which every
 * key is absent. Removing omap keys of a missing object, and comparing an xattr of one (even after
 * a create step), fail with NOT_FOUND. Other write steps create a missing object unless the
 * operation asserts that it exists. (Measured with Ceph 16.2; the contract tests pin it.)
 *
 * <p><b>Waiting.</b> The blocking methods wait no longer than the store's operation bound, a read
 * that is {@link ReadOp#afterWrites()} a quarter of it, and answer an interrupt with {@link
 * java.io.InterruptedIOException} (the operation itself goes on: to its caller its outcome is
 * unknown).
 *
 * <p><b>Cost.</b> Each method call is exactly one RADOS operation (one message to the primary OSD
 * of the object's placement group), whatever its number of steps.
 *
 * <p>Thread-safe. Closing waits for operations under way, within the bound.
 */
public interface ObjectStore extends AutoCloseable {

  /** The pool that this store's objects are in. */
  String pool();

  /** The namespace in the pool; empty for the default one. */
  String namespace();

  /** Runs a compound write ({@code rados_aio_write_op_operate}) and waits for its answer. */
  void write(String object, WriteOp op) throws IOException;

  /**
   * Starts a compound write. The future fails with a {@link StoreException}. What is in the buffers
   * given to the operation is taken over, as librados copies it, before this returns: they are the
   * caller's again, and the store holds as much memory until the future is done.
   */
  CompletableFuture<Void> writeAsync(String object, WriteOp op);

  /**
   * Makes a compound write ready at once, in the calling thread, and starts it when its turn comes,
   * in the thread that says so: what is dear about it, above all the client library's own copy of
   * the data, is over by then, and the OSDs do not wait for it. For the rest, buffers among it, as
   * {@link #writeAsync(String, WriteOp)}.
   *
   * @param turn to be completed in every case: until then native memory is held. When it fails or
   *     is cancelled, nothing is sent and the future fails likewise
   */
  default CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    WriteOp own = op.withOwnData();
    return turn.thenCompose(now -> writeAsync(object, own));
  }

  /** Runs a compound read ({@code rados_aio_read_op_operate}) and waits for its answer. */
  ReadResult read(String object, ReadOp op) throws IOException;

  /**
   * Starts a compound read. The future fails with a {@link StoreException}. A buffer given to a
   * data step must not be touched until the future is done.
   */
  CompletableFuture<ReadResult> readAsync(String object, ReadOp op);

  /**
   * Space, object count and quota of the pool, not of the namespace alone. One command to a monitor
   * ({@code df detail}), which knows them some seconds late; no message to an OSD.
   */
  PoolUsage usage() throws IOException;

  /** Where the pool's objects are. No cost. */
  PoolPlacement placement();

  /**
   * Hands over the name of every object of the namespace, each once, in no order. An object that is
   * made or removed meanwhile may be among them or not ({@code rados_nobjects_list_open}, {@code
   * rados_nobjects_list_next}).
   *
   * <p>Cost: at least one read for every placement group of the pool, and one for each thousand or
   * so names; for checks by people, and nothing else. Bounded memory.
   *
   * @throws IOException when the listing is not whole, for whatever reason, or the reader threw it
   */
  void list(NameReader names) throws IOException;

  /** Takes the names of objects, one after another, in the thread that asked for them. */
  @FunctionalInterface
  interface NameReader {
    void read(String object) throws IOException;
  }

  /** Waits for operations under way, within the bound, and lets go of the pool handle. */
  @Override
  void close() throws IOException;

  /**
   * What the pool holds now.
   *
   * @param bytes bytes stored, replicas not counted
   * @param objects objects stored
   * @param bytesAvailable bytes that can still be stored, replicas not counted: as the monitors
   *     estimate the room in the cluster, and within the quota
   * @param quotaBytes bytes that the pool may hold; empty for no such quota
   * @param quotaObjects objects that it may hold; likewise
   */
  record PoolUsage(
      long bytes,
      long objects,
      long bytesAvailable,
      Optional<Long> quotaBytes,
      Optional<Long> quotaObjects) {

    /**
     * @param room as the monitors estimate it
     * @param quotaBytes 0 for none, as {@code ceph osd pool set-quota} has it
     * @param quotaObjects likewise
     */
    public static PoolUsage of(
        long bytes, long objects, long room, long quotaBytes, long quotaObjects) {
      long left = room;
      if (quotaBytes > 0) {
        left = Math.min(left, Math.max(0, quotaBytes - bytes));
      }
      if (quotaObjects > 0 && objects >= quotaObjects) {
        left = 0;
      }
      return new PoolUsage(bytes, objects, left, positive(quotaBytes), positive(quotaObjects));
    }

    private static Optional<Long> positive(long quota) {
      return quota > 0 ? Optional.of(quota) : Optional.empty();
    }
  }
}
