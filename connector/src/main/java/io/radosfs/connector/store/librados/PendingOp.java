// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.util.concurrent.CompletableFuture;

/**
 * An operation under way in librados, and the native memory that it holds: the compound operation,
 * the completion, an arena. All of it is released exactly once, when librados calls back (or if
 * librados never got the operation), whether or not anybody still waits.
 *
 * @param <T> the result of the operation
 */
abstract class PendingOp<T> {

  private static final int ARENA_CHUNK = 2048;

  /** The starter of the operation. */
  interface Owner {
    /** The cluster has blocklisted the connection; called before the future is done. */
    void blocklisted();

    /** Whether the cluster has blocklisted the connection, as far as is known. */
    boolean isCutOff();

    /** Whether the pool is gone, as far as this client's map tells. Called for ENOENT. */
    boolean isPoolGone();

    /** The operation's native memory is released, and the future is done. */
    void done(PendingOp<?> operation);
  }

  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final String object;
  private final StoreExceptions exceptions;
  private final Owner owner;
  private NativeArena arena;
  private long name;
  private Throwable unfit;
  private long completion;
  private boolean cancelled;
  private boolean abandoned;

  PendingOp(String object, StoreExceptions exceptions, Owner owner) {
    this.object = object;
    this.exceptions = exceptions;
    this.owner = owner;
  }

  /** Builds the compound operation; what it points at goes into the arena. */
  abstract void encode(NativeArena arena);

  /** {@code rados_aio_*_op_operate}. */
  abstract int operate(long io, long completion, long object);

  /** The result of an operation that librados calls successful. */
  abstract T result() throws StoreException;

  /** The failure for a negative return value. */
  abstract StoreException failure(int returnValue);

  /** The failure for ENOENT if it is the pool that is missing. */
  abstract StoreException poolGone();

  /** The failure for a caller when this client, for the given reason, no longer waits. */
  abstract StoreException givenUp(String why);

  /**
   * The failure when librados has dropped the operation, as its store is being closed.
   *
   * @param cutOff whether that is because the connection is blocklisted
   */
  StoreException dropped(boolean cutOff) {
    return givenUp("it was cancelled");
  }

  /** {@code rados_release_*_op} and iterators; called once, even if {@link #encode} threw. */
  abstract void release();

  /** The steps, for messages. */
  abstract String text();

  final String object() {
    return object;
  }

  final StoreExceptions exceptions() {
    return exceptions;
  }

  final CompletableFuture<T> future() {
    return future;
  }

  /** Builds the native operation ahead of {@link #start}, which reports a failure to do so. */
  final synchronized void prepare() {
    try {
      arena = new NativeArena(ARENA_CHUNK);
      name = arena.copyWithNul(Utf8.objectName(object));
      encode(arena);
    } catch (IllegalArgumentException e) {
      unfit = exceptions.invalid(object, text(), e);
    } catch (RuntimeException | Error e) {
      unfit = e;
    }
  }

  /** Ends an operation that librados never got. */
  final void withdraw(Throwable reason) {
    finish(null, reason);
  }

  /** Passes the operation to librados; the future tells the outcome. */
  final void start(long io) {
    Throwable failure = submit(io);
    if (failure != null) {
      finish(null, failure);
    }
  }

  /**
   * Holds the lock until librados returns: the callback, which may come earlier, must not free
   * anything that is still in use.
   *
   * @return why librados has not taken the operation; null if it has
   */
  private synchronized Throwable submit(long io) {
    if (arena == null) {
      prepare();
    }
    if (unfit != null) {
      return unfit;
    }
    long id = Completions.nextId();
    Throwable failure;
    try {
      Completions.register(id, this);
      long completionOut = arena.allocateZeroedLong();
      int result = LibRados.rados_aio_create_completion2(id, Completions.function(), completionOut);
      completion = arena.getLong(completionOut);
      if (result == 0) {
        result = operate(io, completion, name);
      }
      if (result == 0) {
        return null;
      }
      failure = failure(result);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    Completions.unregister(id);
    return failure;
  }

  /** librados has called back ({@code rados_aio_get_return_value}). */
  final void completed() {
    T result = null;
    Throwable failure = null;
    synchronized (this) {
      try {
        int returnValue = LibRados.rados_aio_get_return_value(completion);
        if (abandoned) {
          failure = givenUp("nobody waits for it any more");
        } else if (returnValue >= 0) {
          result = result();
        } else if (cancelled && Errno.ECANCELED.is(returnValue)) {
          failure = dropped(owner.isCutOff());
        } else if (Errno.ENOENT.is(returnValue) && owner.isPoolGone()) {
          failure = poolGone();
        } else {
          failure = failure(returnValue);
        }
      } catch (StoreException | RuntimeException | Error e) {
        failure = e;
      }
    }
    finish(result, failure);
  }

  /**
   * Asks librados to drop the operation ({@code rados_aio_cancel}). librados calls back soon, and
   * touches no buffer after that. The OSD may still have or get the operation.
   */
  final synchronized void cancel(long io) {
    if (completion != LibRados.NULL) {
      cancelled = true;
      LibRados.rados_aio_cancel(io, completion);
    }
  }

  /**
   * Nobody waits for the operation any more: once this returns, {@link #result} is not called,
   * whenever librados calls back.
   */
  final synchronized void abandon() {
    abandoned = true;
  }

  @Override
  public final String toString() {
    return exceptions.text(object, text());
  }

  private void finish(T result, Throwable failure) {
    synchronized (this) {
      release();
      if (completion != LibRados.NULL) {
        LibRados.rados_aio_release(completion);
        completion = LibRados.NULL;
      }
      if (arena != null) {
        arena.close();
      }
    }
    if (failure instanceof StoreException e && e.is(Kind.BLOCKLISTED)) {
      owner.blocklisted();
    }
    try {
      if (failure == null) {
        future.complete(result);
      } else {
        future.completeExceptionally(failure);
      }
    } finally {
      // Last, so that a thread that closes the store finds every future done.
      owner.done(this);
    }
  }
}
