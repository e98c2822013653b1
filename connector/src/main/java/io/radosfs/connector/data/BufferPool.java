package io.radosfs.connector.data;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Direct buffers with one budget, shared by the streams of a file system.
 *
 * <p><b>No deadlock.</b> Nobody ever waits in the pool. {@link #acquire} always succeeds, if need
 * be beyond the budget: a stream takes the one buffer that it cannot go on without this way. {@link
 * #tryAcquire} stays within the budget: a stream takes every further buffer (stripes under way,
 * read-ahead) this way, and when there is none it waits for one of its own operations, or does
 * without. So the memory in use is at most the budget and one buffer a stream.
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

  /** Bytes that streams hold now. */
  public synchronized long inUse() {
    return bytesInUse;
  }

  /** The most bytes that streams ever held at a time. */
  public synchronized long mostInUse() {
    return mostInUse;
  }

  /** Bytes kept for the next taker. */
  public synchronized long kept() {
    return bytesKept;
  }

  private Lease take(int capacity, boolean beyondBudget) {
    synchronized (this) {
      if (!beyondBudget && bytesInUse + capacity > budget) {
        return null;
      }
      bytesInUse += capacity;
      mostInUse = Math.max(mostInUse, bytesInUse);
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
        synchronized (this) {
          bytesInUse -= capacity;
        }
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
