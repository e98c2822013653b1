// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads exactly a range of a file, in parallel across stripes, one operation for each stripe.
 *
 * <p>Bytes go through pooled buffers, so that a failed or interrupted read never writes into its
 * caller's memory later. One of the buffers may exceed the pool's budget.
 *
 * <p>Thread-safe.
 */
final class PositionedReads {

  private static final int MOST_UNDER_WAY = 16;

  private final StripeReader reader;
  private final BufferPool pool;

  PositionedReads(StripeReader reader, BufferPool pool) {
    this.reader = reader;
    this.pool = pool;
  }

  /**
   * @param count bytes to read, all within the file and the room of {@code into}
   */
  void read(long from, ByteBuffer into, int count) throws IOException {
    ArrayDeque<Piece> underWay = new ArrayDeque<>();
    long next = from;
    try {
      while (next < from + count || !underWay.isEmpty()) {
        if (next < from + count && underWay.size() < MOST_UNDER_WAY) {
          int size = (int) Math.min(from + count - next, reader.most(next));
          Optional<BufferPool.Lease> lease = lease(size, underWay.isEmpty());
          if (lease.isPresent()) {
            underWay.add(start(next, size, lease.get()));
            next += size;
            continue;
          }
        }
        Piece piece = underWay.peek();
        Await.get(piece.loaded);
        into.put(piece.buffer);
        underWay.poll().drop();
      }
    } finally {
      underWay.forEach(Piece::drop);
    }
  }

  private Optional<BufferPool.Lease> lease(int size, boolean only) {
    return only ? Optional.of(pool.acquire(size)) : pool.tryAcquire(size);
  }

  private Piece start(long position, int size, BufferPool.Lease lease) {
    ByteBuffer buffer = lease.buffer().limit(size);
    return new Piece(lease, buffer, reader.read(position, buffer.slice()));
  }

  private record Piece(BufferPool.Lease lease, ByteBuffer buffer, CompletableFuture<Void> loaded) {

    void drop() {
      loaded.whenComplete((done, thrown) -> lease.close());
    }
  }
}
