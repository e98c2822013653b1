// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The buffered part of a file that is read in sequence: the current chunk, and the chunks after it
 * that are read ahead.
 *
 * <p><b>How much is read.</b> The first read at a position requests what its caller wants, or
 * {@value #FIRST} bytes if that is more. With each chunk that was read the next one is requested,
 * so that RADOS always has something to do. When reading has gone on past all that was wanted and
 * requested then, each next chunk is twice as large, up to a whole stripe or {@link
 * StripeReader#MOST}, and twice as many are read ahead, up to the window. So what is requested is a
 * few times what was read. A jump out of the buffered part starts over. If the {@link ReadPlan}
 * says sequential, reading starts with whole stripes and the whole window. If it says random,
 * chunks grow in the same way but none is read ahead. Beyond the plan's end, only wanted bytes are
 * requested. One RADOS operation for each chunk; a chunk never spans two stripes.
 *
 * <p><b>The tail.</b> Readers of Parquet jump to the last 8 bytes first, and then back to what
 * these refer to. So a jump into the last {@value #TAIL} bytes of a file requests all of them that
 * are in one stripe, and they are kept until the reader jumps out of them. Not if the plan says
 * sequential.
 *
 * <p><b>Memory.</b> The current chunk may exceed the pool's budget; all others stay within it. A
 * chunk that was read to its end is returned at once, unless it is the tail. The one object of an
 * adopted file may be as large as a Java array, so no chunk is larger than {@link
 * StripeReader#MOST} bytes, whatever is wanted.
 *
 * <p>Not thread-safe.
 */
final class ReadAhead {

  private static final int FIRST = 128 << 10;
  private static final int TAIL = 64 << 10;

  private final StripeReader reader;
  private final BufferPool pool;
  private final int window;
  private final ReadPlan plan;
  private final long aheadEnd;
  private final InputStatistics statistics;
  private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();

  /** The end of the last chunk, where the next one begins. */
  private long end;

  /** The end of what callers have wanted since reading began at this place. */
  private long wantedEnd;

  /**
   * The end of what was requested when requests began or grew last: once it is reached, they grow
   * again. Below 0 until that is requested.
   */
  private long growAt;

  /** The chunk that was returned last. */
  private Chunk current;

  /** The position up to which the caller has read, within what is buffered. */
  private long readTo;

  private int request;
  private int depth;

  ReadAhead(
      StripeReader reader, BufferPool pool, int window, ReadPlan plan, InputStatistics statistics) {
    this.statistics = statistics;
    this.reader = reader;
    this.pool = pool;
    this.window = window;
    this.plan = plan;
    this.aheadEnd = Math.min(plan.aheadEnd(), reader.file().length());
    begin();
  }

  /**
   * Returns bytes of the file from a position before its end.
   *
   * @param wanted how many bytes the caller is going to read, at least 1
   * @return a buffer whose position is there and which has bytes left, perhaps fewer than wanted;
   *     valid until the next call. The caller moves its position as it reads.
   */
  ByteBuffer at(long position, int wanted) throws IOException {
    Chunk chunk = chunks.peek();
    if (chunk == null || chunk != current || position < chunk.start || position >= chunk.end()) {
      chunk = moveTo(position, wanted);
      current = chunk;
    }
    try {
      Await.get(chunk.loaded);
    } catch (IOException e) {
      begin();
      throw e;
    }
    return chunk.buffer.position((int) (position - chunk.start));
  }

  /**
   * Returns the buffers to the pool, and forgets how reading went.
   *
   * @return the number of bytes that were requested and not read
   */
  long release() {
    long unread = 0;
    for (Chunk chunk : chunks) {
      unread += unread(chunk);
    }
    begin();
    return unread;
  }

  private long unread(Chunk chunk) {
    return Math.max(0, chunk.end() - Math.max(chunk.start, readTo));
  }

  private void begin() {
    while (!chunks.isEmpty()) {
      chunks.poll().drop();
    }
    boolean atOnce = plan.policy() == ReadPlan.Policy.SEQUENTIAL;
    request = atOnce ? largest() : FIRST;
    depth = atOnce ? window : 0;
    wantedEnd = end = growAt = -1;
    current = null;
  }

  /** The caller has read up to here: returns the chunk that ends here, if any, to the pool. */
  void finished(long position) {
    readTo = position;
    if (!chunks.isEmpty() && position == chunks.peek().end() && !chunks.peek().isTail()) {
      chunks.poll().drop();
    }
  }

  private Chunk moveTo(long position, int wanted) throws IOException {
    boolean begunHere = end >= 0 && (chunks.isEmpty() ? end : chunks.peek().start) <= position;
    if (!begunHere || position > end) {
      statistics.discardedBySeek.addAndGet(release());
      end = position;
      if (position > tail()) {
        addTail();
        return chunks.peek();
      }
    } else {
      while (!chunks.isEmpty() && position >= chunks.peek().end()) {
        statistics.discardedBySeek.addAndGet(unread(chunks.peek()));
        chunks.poll().drop();
      }
      if (position >= Math.max(wantedEnd, growAt)) {
        grow();
      }
    }
    wantedEnd = Math.max(wantedEnd, Math.min(position + wanted, reader.file().length()));
    if (chunks.isEmpty()) {
      add(position, wanted);
    }
    while (end < wantedEnd && chunks.size() <= window && tryAdd()) {}
    while (end < aheadEnd && chunks.size() <= depth && tryAdd()) {
      statistics.prefetches.incrementAndGet();
    }
    if (growAt < 0) {
      growAt = end;
    }
    return chunks.peek();
  }

  private void grow() {
    request = Math.min(request * 2, largest());
    if (plan.policy() != ReadPlan.Policy.RANDOM) {
      depth = Math.min(Math.max(1, depth * 2), window);
    }
    growAt = -1;
  }

  /** Where the tail begins, if a jump is to read it whole; otherwise the file's end. */
  private long tail() {
    long length = reader.file().length();
    if (plan.policy() == ReadPlan.Policy.SEQUENTIAL || end >= aheadEnd) {
      return length;
    }
    return Math.max(length - TAIL, reader.startOfStripe(length - 1));
  }

  private void addTail() {
    end = tail();
    int size = (int) (reader.file().length() - end);
    start(end, size, pool.acquire(size), true);
    wantedEnd = growAt = end;
  }

  /** Requests the chunk that the caller waits for. */
  private void add(long position, int wanted) {
    int size = size(Math.max(wanted, request()));
    start(position, size, pool.acquire(size), false);
  }

  private boolean tryAdd() {
    int size = size((int) Math.max(Math.min(wantedEnd - end, Integer.MAX_VALUE), request()));
    Optional<BufferPool.Lease> lease = pool.tryAcquire(size);
    lease.ifPresent(l -> start(end, size, l, false));
    return lease.isPresent();
  }

  private int largest() {
    return Math.max(FIRST, Math.min(reader.file().objectSize(), StripeReader.MOST));
  }

  /** How much to request after the last chunk, apart from what is wanted. */
  private int request() {
    return (int) Math.min(request, Math.max(FIRST, aheadEnd - end));
  }

  private int size(int asked) {
    return Math.min(asked, reader.most(end));
  }

  private void start(long position, int size, BufferPool.Lease lease, boolean isTail) {
    ByteBuffer buffer = lease.buffer().limit(size);
    chunks.add(
        new Chunk(position, size, isTail, lease, buffer, reader.read(position, buffer.slice())));
    end = position + size;
  }

  /** A part of the file that is, or will be, in a buffer. */
  private record Chunk(
      long start,
      int size,
      boolean isTail,
      BufferPool.Lease lease,
      ByteBuffer buffer,
      CompletableFuture<Void> loaded) {

    long end() {
      return start + size;
    }

    /** Returns the buffer to the pool as soon as nothing is read into it any more. */
    void drop() {
      loaded.whenComplete((done, thrown) -> lease.close());
    }
  }
}
