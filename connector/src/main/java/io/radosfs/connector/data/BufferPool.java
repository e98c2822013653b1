// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Direct buffers, and memory that librados holds for streams, with one budget, shared by the
 * streams of a file system.
 *
 * <p><b>No deadlock.</b> Nobody ever waits in the pool. {@link #acquire} and {@link #reserve}
 * always succeed, if need be beyond the budget: a stream takes this way what it cannot go on
 * without, one buffer and, when it writes, one stripe under way. {@link #tryAcquire} and {@link
 * #tryReserve} stay within the budget: a stream takes all else this way (further stripes under way,
 * read-ahead), and when there is none it waits for one of its own operations, or does without. So
 * the memory in use is at most the budget and two buffers a stream.
 *
 * <p>Buffers that come back are kept for the next taker as long as those in use and those kept fit
 * the budget together.
 *
 * <p>Thread-safe.
 */
public final class BufferPool {

  /** The smallest buffer. */
  public static final int SMALLEST = 64 << 10;

  private static final int COARSE = 1 << 20;

  private final long budget;
  private final TreeMap<Integer, ArrayDeque<ByteBuffer>> kept = new TreeMap<>();
  private long bytesKept;
  private long bytesInUse;
  private long mostInUse;

  /**
   * @param budget bytes
   */
  public BufferPool(long budget) {
    if (budget <= 0) {
      throw new IllegalArgumentException("budget " + budget);
    }
    this.budget = budget;
  }

  /** A buffer of at least that capacity, if need be beyond the budget. Never waits. */
  public Lease acquire(int capacity) {
    return take(rounded(capacity), true);
  }

  /** A buffer of at least that capacity, or none when that would exceed the budget. Never waits. */
  public Optional<Lease> tryAcquire(int capacity) {
    return Optional.ofNullable(take(rounded(capacity), false));
  }

  public long budget() {
    return budget;
  }

  /** Counts memory that librados takes, if need be beyond the budget. Never waits. */
  public Reservation reserve(int bytes) {
    return count(bytes, true);
  }

  /** The same, or nothing when that would exceed the budget. Never waits. */
  public Optional<Reservation> tryReserve(int bytes) {
    return Optional.ofNullable(count(bytes, false));
  }

  /** Bytes that streams hold now, or librados for them. */
  public synchronized long inUse() {
    return bytesInUse;
  }

  /** The most that these ever were. */
  public synchronized long mostInUse() {
    return mostInUse;
  }

  /** Bytes kept for the next taker. */
  public synchronized long kept() {
    return bytesKept;
  }

  private Reservation count(int bytes, boolean beyondBudget) {
    synchronized (this) {
      if (!counted(bytes, beyondBudget)) {
        return null;
      }
      makeRoom();
    }
    return new Reservation(bytes);
  }

  private boolean counted(int bytes, boolean beyondBudget) {
    if (!beyondBudget && bytesInUse + bytes > budget) {
      return false;
    }
    bytesInUse += bytes;
    mostInUse = Math.max(mostInUse, bytesInUse);
    return true;
  }

  private Lease take(int capacity, boolean beyondBudget) {
    synchronized (this) {
      if (!counted(capacity, beyondBudget)) {
        return null;
      }
      ArrayDeque<ByteBuffer> fitting = kept.get(capacity);
      if (fitting != null && !fitting.isEmpty()) {
        bytesKept -= capacity;
        return new Lease(fitting.pop().clear());
      }
      makeRoom();
    }
    // Outside of the lock: the JVM clears the memory, and may have to collect garbage first.
    ByteBuffer fresh = null;
    try {
      fresh = ByteBuffer.allocateDirect(capacity);
      return new Lease(fresh);
    } finally {
      if (fresh == null) {
        giveBack(capacity);
      }
    }
  }

  /** Lets go of kept buffers, the largest first, until what is left fits the budget. */
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

  /** A few sizes, so that buffers are found again: powers of two, then whole mebibytes. */
  private static int rounded(int capacity) {
    if (capacity <= SMALLEST) {
      return SMALLEST;
    }
    if (capacity <= COARSE) {
      return Integer.highestOneBit(capacity - 1) << 1;
    }
    return (int) Math.min((capacity + COARSE - 1L) / COARSE * COARSE, Integer.MAX_VALUE);
  }

  /** Memory elsewhere, counted until this is closed, once however often it is closed. */
  public final class Reservation implements AutoCloseable {
    private final AtomicInteger bytes;

    private Reservation(int bytes) {
      this.bytes = new AtomicInteger(bytes);
    }

    @Override
    public void close() {
      giveBack(bytes.getAndSet(0));
    }
  }

  /** A buffer on loan. Closing it gives it back, once however often it is closed. */
  public final class Lease implements AutoCloseable {
    private final AtomicReference<ByteBuffer> buffer;

    private Lease(ByteBuffer buffer) {
      this.buffer = new AtomicReference<>(buffer);
    }

    /**
     * The buffer, of which nothing may be used after {@link #close}.
     *
     * @throws IllegalStateException when it was given back
     */
    public ByteBuffer buffer() {
      ByteBuffer held = buffer.get();
      if (held == null) {
        throw new IllegalStateException("the buffer was given back");
      }
      return held;
    }

    @Override
    public void close() {
      ByteBuffer held = buffer.getAndSet(null);
      if (held != null) {
        giveBack(held);
      }
    }
  }
}
