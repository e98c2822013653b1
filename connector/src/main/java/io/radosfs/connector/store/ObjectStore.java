// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One namespace of one RADOS pool: named objects, each with data, xattrs and an omap (a sorted map
 * of UTF-8 keys to byte strings, ordered by the keys' bytes).
 *
 * <p><b>Atomicity.</b> An operation, read or write, concerns one object and takes effect at one
 * instant. Its steps run in order. If a guard or any other step fails, the whole operation fails
 * with that step's error and changes nothing. Nothing is atomic across objects.
 *
 * <p><b>Order.</b> Operations are ordered if the caller waits for one before it starts the next.
 * Asynchronous operations under way at the same time take effect in any order. A read may overtake
 * an earlier write that was not answered, unless it is {@link ReadOp#afterWrites()}: once such a
 * read is answered, earlier writes of this store to the object that it does not show never take
 * effect.
 *
 * <p><b>Errors.</b> Every failure is a {@link StoreException}. Its {@link StoreException#kind()} is
 * decided in one place; its message names the operation, the pool, the object and what to do. The
 * kinds that a caller handles:
 *
 * <ul>
 *   <li>{@code NOT_FOUND}: the object of a read, a removal or {@code assertExists} is missing
 *       (ENOENT).
 *   <li>{@code EXISTS}: the object of an exclusive create exists (EEXIST).
 *   <li>{@code GUARD_FAILED}: an omap or xattr comparison was false (ECANCELED).
 *   <li>{@code OUTCOME_UNKNOWN}: a write had no answer in time (ETIMEDOUT, or this client's own
 *       bound). It may have taken effect, may yet do so, or may never. A read without an answer is
 *       {@code TIMED_OUT} instead and may be repeated.
 *   <li>{@code BLOCKLISTED}: this connection is cut off for good (ESHUTDOWN); it is of no use to
 *       repeat anything on it. A write may have taken effect.
 *   <li>{@code POOL_GONE}: the pool was deleted, renamed, or made again under its name, since this
 *       store was opened. RADOS answers ENOENT then, as if each object were missing; here it is
 *       told apart. It is found out by an operation that is answered ENOENT, a listing or {@link
 *       #usage()}; from then on nothing is sent.
 * </ul>
 *
 * <p>Each failure of a write says whether the write may have taken effect ({@link
 * StoreException#mayHaveTakenEffect()}; {@link FailedWrite} for callers that catch more than
 * StoreExceptions). The kind does not say it, as errors of one kind come from different places.
 *
 * <p>Guards come before changes, and see the object as it was before the operation. Omap guards on
 * a missing object fail with NOT_FOUND, unless a create step comes before them: then every key is
 * absent. Two steps fail with NOT_FOUND on a missing object: removing omap keys, and comparing an
 * xattr (even after a create step). Other write steps create a missing object unless the operation
 * asserts that it exists. (Measured with Ceph 16.2; the contract tests pin it.)
 *
 * <p><b>Waiting.</b> The blocking methods, but for {@link #list}, wait no longer than the store's
 * operation bound, or a quarter of it for a read that is {@link ReadOp#afterWrites()}. On an
 * interrupt they throw {@link java.io.InterruptedIOException}; the operation itself goes on, and
 * its outcome is unknown to the caller.
 *
 * <p><b>Cost.</b> Each read or write is exactly one RADOS operation (one message to the primary OSD
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
   * Starts a compound write. The future fails with a {@link StoreException}. The bytes in the
   * operation's buffers are copied (by librados) before this returns, so the caller may reuse the
   * buffers at once. The store holds that much memory until the future is done.
   */
  CompletableFuture<Void> writeAsync(String object, WriteOp op);

  /**
   * Prepares a compound write at once, in the calling thread, and sends it when {@code turn} is
   * completed, in the thread that completes it. The expensive part is done by then, above all the
   * client library's own copy of the data, so the OSDs do not wait for it. Otherwise the same as
   * {@link #writeAsync(String, WriteOp)}, buffers included.
   *
   * @param turn must be completed in every case: native memory is held until then. If it fails or
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
   * Starts a compound read. The future fails with a {@link StoreException}. The caller must not
   * touch a buffer of a data step until the future is done.
   */
  CompletableFuture<ReadResult> readAsync(String object, ReadOp op);

  /**
   * Returns space, object count and quota of the whole pool, not of the namespace alone. One
   * command to a monitor ({@code df detail}), whose numbers are some seconds old, and a second one
   * for the quota of a pool so new that they have no numbers of it; no message to OSDs.
   */
  PoolUsage usage() throws IOException;

  /**
   * Returns the applications that the pool is tagged with, by {@code ceph osd pool application
   * enable}: {@code rbd}, {@code rgw}, {@code cephfs}, … ({@code rados_application_list}). They
   * come from the map of the cluster that the client has, so this costs nothing and needs no
   * capability of its own; a change may take some seconds to show.
   */
  Set<String> applications() throws IOException;

  /** Returns where the pool's objects are. No cost. */
  PoolPlacement placement();

  /**
   * Passes the name of every object of the namespace to the reader, each once, in no order. An
   * object that is made or removed meanwhile may be among them or not ({@code
   * rados_nobjects_list_open}, {@code rados_nobjects_list_next}).
   *
   * <p>Cost: at least one read for each placement group of the pool, and one for about every
   * thousand names. Only for checks that a person starts. Bounded memory. It takes as long as it
   * takes. An interrupt ends it between two names; where the namespace has none, after all the
   * others of the pool.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted
   * @throws IOException if the listing is incomplete, for whatever reason, or from the reader
   */
  void list(NameReader names) throws IOException;

  /** Takes the names of objects, one by one, in the thread that called {@link #list}. */
  @FunctionalInterface
  interface NameReader {
    void read(String object) throws IOException;
  }

  /** Waits for operations under way, within the bound, and releases the pool handle. */
  @Override
  void close() throws IOException;

  /**
   * What the pool holds now.
   *
   * @param bytes bytes stored, replicas not counted
   * @param objects objects stored
   * @param bytesAvailable bytes that can still be stored, replicas not counted: the monitors'
   *     estimate of the room in the cluster, limited by the quota
   * @param quotaBytes bytes that the pool may hold; empty if it has no such quota
   * @param quotaObjects objects that the pool may hold; empty if it has no such quota
   * @param traffic of clients with the pool so far
   */
  record PoolUsage(
      long bytes,
      long objects,
      long bytesAvailable,
      Optional<Long> quotaBytes,
      Optional<Long> quotaObjects,
      PoolTraffic traffic) {

    /**
     * @param room the monitors' estimate
     * @param quotaBytes 0 for none, as in {@code ceph osd pool set-quota}
     * @param quotaObjects 0 for none
     */
    public static PoolUsage of(
        long bytes,
        long objects,
        long room,
        long quotaBytes,
        long quotaObjects,
        PoolTraffic traffic) {
      long left = room;
      if (quotaBytes > 0) {
        left = Math.min(left, Math.max(0, quotaBytes - bytes));
      }
      if (quotaObjects > 0 && objects >= quotaObjects) {
        left = 0;
      }
      return new PoolUsage(
          bytes, objects, left, positive(quotaBytes), positive(quotaObjects), traffic);
    }

    private static Optional<Long> positive(long quota) {
      return quota > 0 ? Optional.of(quota) : Optional.empty();
    }
  }
}
