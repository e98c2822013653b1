// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * The memory of a file system's streams, within one budget: direct buffers, and what librados holds
 * for the streams.
 *
 * <p><b>No deadlock.</b> No call of the pool waits. {@link #acquire} and {@link #reserve} always
 * succeed, beyond the budget if necessary. A stream uses them for what it cannot go on without: one
 * buffer and, when it writes, one stripe under way; so does a vectored read for one operation.
 * {@link #tryAcquire} and {@link #tryReserve} stay within the budget. A stream uses them for
 * everything else (further stripes, read-ahead). If they return nothing, it waits for one of its
 * own operations, or goes on without. So the memory in use is at most the budget and two buffers
 * for each stream and one for each vectored read. Where the JVM has no direct memory left, there is
 * no buffer but what a stream cannot go on without.
 *
 * <p>Returned buffers are kept for later while the buffers in use and those kept fit the budget.
 * What a stream holds that is dropped unclosed counts until the garbage collector finds it.
 *
 * <p>Thread-safe.
 */
public final class BufferPool {

  /** The smallest buffer. */
  public static final int SMALLEST = 64 << 10;

  private static final int COARSE = 1 << 20;

  private static final Cleaner DROPPED = Cleaner.create();

  private final long budget;
  private final IntFunction<ByteBuffer> allocate;
  private final TreeMap<Integer, ArrayDeque<ByteBuffer>> kept = new TreeMap<>();
  private long bytesKept;
  private long bytesInUse;
  private long mostInUse;

  /** What was in use when the JVM had no direct memory left; more is not tried to go on faster. */
  private long ceiling = Long.MAX_VALUE;

  /**
   * @param budget bytes
   */
  public BufferPool(long budget) {
    this(budget, ByteBuffer::allocateDirect);
  }

  /**
   * The same.
   *
   * @param allocate makes a buffer of a capacity
   */
  BufferPool(long budget, IntFunction<ByteBuffer> allocate) {
    if (budget <= 0) {
      throw new IllegalArgumentException("budget " + budget);
    }
    this.budget = budget;
    this.allocate = allocate;
  }

  /** Returns a buffer of at least that capacity, beyond the budget if necessary. Never waits. */
  public Lease acquire(int capacity) {
    return take(rounded(capacity), true);
  }

  /** The same as {@link #acquire}, but empty if the budget would be exceeded. Never waits. */
  public Optional<Lease> tryAcquire(int capacity) {
    return Optional.ofNullable(take(rounded(capacity), false));
  }

  public long budget() {
    return budget;
  }

  /** Counts memory that librados takes, beyond the budget if necessary. Never waits. */
  public Reservation reserve(int bytes) {
    return count(bytes, true);
  }

  /** The same as {@link #reserve}, but empty if the budget would be exceeded. Never waits. */
  public Optional<Reservation> tryReserve(int bytes) {
    return Optional.ofNullable(count(bytes, false));
  }

  /** The bytes in use now, by streams or by librados for them. */
  public synchronized long inUse() {
    return bytesInUse;
  }

  /** The most bytes that were ever in use. */
  public synchronized long mostInUse() {
    return mostInUse;
  }

  /** The bytes of the buffers that are kept for later. */
  public synchronized long kept() {
    return bytesKept;
  }

  /** By the budget alone: what librados takes is not of the JVM's direct memory. */
  private Reservation count(int bytes, boolean beyondBudget) {
    synchronized (this) {
      if (!counted(bytes, beyondBudget ? Long.MAX_VALUE : budget)) {
        return null;
      }
      makeRoom();
    }
    return new Reservation(this, bytes);
  }

  private boolean counted(int bytes, long most) {
    if (bytes > most - bytesInUse) {
      return false;
    }
    bytesInUse += bytes;
    mostInUse = Math.max(mostInUse, bytesInUse);
    return true;
  }

  private Lease take(int capacity, boolean beyondBudget) {
    synchronized (this) {
      if (!counted(capacity, beyondBudget ? Long.MAX_VALUE : Math.min(budget, ceiling))) {
        return null;
      }
      ArrayDeque<ByteBuffer> fitting = kept.get(capacity);
      if (fitting != null && !fitting.isEmpty()) {
        bytesKept -= capacity;
        return new Lease(this, fitting.pop().clear());
      }
      makeRoom();
    }
    // Outside the lock: the JVM clears the memory, and may have to collect garbage first.
    Lease lease = null;
    try {
      ByteBuffer fresh = allocated(capacity, beyondBudget);
      lease = fresh == null ? null : new Lease(this, fresh);
      return lease;
    } finally {
      if (lease == null) {
        giveBack(capacity);
      }
    }
  }

  /**
   * A new buffer. The JVM has a bound of its own (MaxDirectMemorySize), which may be less than the
   * budget: then kept buffers make room, and what can go on without a buffer has none. To find that
   * out takes the JVM half a second and a garbage collection, so it is remembered, until a buffer
   * that was needed could be had beyond that.
   */
  private ByteBuffer allocated(int capacity, boolean needed) {
    ByteBuffer fresh;
    try {
      fresh = allocate.apply(capacity);
    } catch (OutOfMemoryError e) {
      noneIsLeft(capacity);
      if (!needed) {
        return null;
      }
      fresh = allocate.apply(capacity);
    }
    someIsLeft();
    return fresh;
  }

  private synchronized void noneIsLeft(int capacity) {
    ceiling = Math.min(ceiling, bytesInUse - capacity);
    kept.clear();
    bytesKept = 0;
  }

  private synchronized void someIsLeft() {
    ceiling = Math.max(ceiling, bytesInUse);
  }

  /** Drops kept buffers, the largest first, until the rest fits the budget. */
  private void makeRoom() {
    while (bytesKept > 0 && bytesInUse + bytesKept > budget) {
      Map.Entry<Integer, ArrayDeque<ByteBuffer>> largest = kept.lastEntry();
      if (largest.getValue().isEmpty()) {
        kept.remove(largest.getKey());
      } else {
        largest.getValue().pop();
        bytesKept -= largest.getKey();
      }
    }
  }

  private synchronized void giveBack(int bytes) {
    bytesInUse -= bytes;
  }

  private synchronized void giveBack(ByteBuffer buffer) {
    int capacity = buffer.capacity();
    bytesInUse -= capacity;
    if (bytesInUse + bytesKept + capacity <= budget) {
      kept.computeIfAbsent(capacity, c -> new ArrayDeque<>()).push(buffer);
      bytesKept += capacity;
    }
  }

  /** Rounds up to one of a few sizes, for reuse: powers of two, then whole mebibytes. */
  static int rounded(int capacity) {
    if (capacity <= SMALLEST) {
      return SMALLEST;
    }
    if (capacity <= COARSE) {
      return Integer.highestOneBit(capacity - 1) << 1;
    }
    return (int) Math.min((capacity + COARSE - 1L) / COARSE * COARSE, Integer.MAX_VALUE);
  }

  /** Memory elsewhere that counts until this is closed; closing it again has no effect. */
  public static final class Reservation implements AutoCloseable {
    private final Cleaner.Cleanable counted;

    private Reservation(BufferPool pool, int bytes) {
      counted = DROPPED.register(this, () -> pool.giveBack(bytes));
    }

    @Override
    public void close() {
      counted.clean();
    }
  }

  /** A buffer on loan. Closing this returns it to the pool; closing it again has no effect. */
  public static final class Lease implements AutoCloseable {
    private final Loan loan;
    private final Cleaner.Cleanable dropped;

    private Lease(BufferPool pool, ByteBuffer buffer) {
      loan = new Loan(pool, new AtomicReference<>(buffer));
      dropped = DROPPED.register(this, loan::drop);
    }

    /**
     * Returns the buffer, which must not be used after {@link #close}.
     *
     * @throws IllegalStateException if this is closed
     */
    public ByteBuffer buffer() {
      ByteBuffer held = loan.buffer().get();
      if (held == null) {
        throw new IllegalStateException("the buffer was given back");
      }
      return held;
    }

    @Override
    public void close() {
      loan.end();
      dropped.clean();
    }
  }

  /** What ends once, by its user or after it. */
  private record Loan(BufferPool pool, AtomicReference<ByteBuffer> buffer) {

    void end() {
      ByteBuffer held = buffer.getAndSet(null);
      if (held != null) {
        pool.giveBack(held);
      }
    }

    /** The user may have left it to librados: it only counts no more, and is not used again. */
    void drop() {
      ByteBuffer held = buffer.getAndSet(null);
      if (held != null) {
        pool.giveBack(held.capacity());
      }
    }
  }
}
