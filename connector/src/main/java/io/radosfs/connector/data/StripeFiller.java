// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Fills buffers with the bytes of a file, and sends each full buffer as a stripe: the memory and
 * back-pressure of {@link StripedOutputStream}. Calls the publisher before it sends the first
 * stripe.
 *
 * <p>Not thread-safe, except for the counters.
 */
final class StripeFiller {

  private static final int GROWTH = 4;

  /** The number of full stripes kept ready beyond the window, as OSDs answer in bursts. */
  private static final int AHEAD = 4;

  /** Checksum and copy go together, in slices that fit the processor's nearest cache. */
  private static final int SLICE = 8 << 10;

  private final FileData begun;
  private final FilePublisher publisher;
  private final BufferPool pool;
  private final StreamSettings settings;
  private final StripeWriter writer;
  private final CRC32C crc = new CRC32C();
  private final Crc32cSum sum = new Crc32cSum();
  private final AtomicLong bytesSent;
  private final AtomicLong stripesSent;

  private boolean hasBegun;
  private BufferPool.Lease current;

  StripeFiller(
      ObjectStore store,
      FileData begun,
      FilePublisher publisher,
      BufferPool pool,
      StreamSettings settings,
      OutputStatistics statistics) {
    this.bytesSent = statistics.bytes;
    this.stripesSent = statistics.uploads;
    this.begun = begun;
    this.publisher = publisher;
    this.pool = pool;
    this.settings = settings;
    this.writer = new StripeWriter(store, begun, settings.window(), statistics);
  }

  /** Whether objects of the file may exist. */
  boolean hasBegun() {
    return hasBegun;
  }

  int highestStripe() {
    return (int) Math.max(0, stripesSent.get() - 1);
  }

  /** The file, with the name of its first stripe as far as it is known. */
  FileData file() {
    return writer.file();
  }

  /** CRC-32C of the file; complete once it is finished. */
  int crc32c() {
    return sum.crc32c();
  }

  /** Sends the rest, at least one stripe, and waits until all stripes are in RADOS. */
  FileData finish() throws IOException {
    if (stripesSent.get() == 0 || current != null && current.buffer().position() > 0) {
      sendStripe();
    }
    release();
    while (writer.unanswered() > 0) {
      writer.await();
      settings.progress().run();
    }
    return writer.file().withLength(bytesSent.get());
  }

  /**
   * Waits for the answers of all stripes under way, whatever they are.
   *
   * @return whether an object may yet appear, because its write was not answered
   */
  boolean drain() throws IOException {
    writer.drain();
    return writer.unresolved();
  }

  /** Returns the buffer that is being filled to the pool. */
  void release() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  /** Puts bytes into buffers, and sends the full ones. */
  void put(byte[] bytes, int offset, int count) throws IOException {
    int done = 0;
    while (done < count) {
      ByteBuffer room = room(count - done);
      int fitting = Math.min(Math.min(room.remaining(), count - done), SLICE);
      crc.update(bytes, offset + done, fitting);
      room.put(bytes, offset + done, fitting);
      done += fitting;
      if (room.position() == begun.objectSize()) {
        if (!hasBegun) {
          publisher.expectMore();
        }
        sendStripe();
      }
    }
  }

  /** Returns a buffer with room, for a stripe that is not full. */
  private ByteBuffer room(int wanted) throws IOException {
    if (current == null) {
      boolean first = stripesSent.get() == 0;
      current = nextBuffer(first ? Math.max(BufferPool.SMALLEST, wanted) : begun.objectSize());
    } else if (!current.buffer().hasRemaining()) {
      ByteBuffer full = current.buffer();
      long size = Math.max((long) full.capacity() * GROWTH, (long) full.position() + wanted);
      BufferPool.Lease larger = pool.acquire((int) Math.min(size, begun.objectSize()));
      limitToStripe(larger.buffer()).put(full.flip());
      current.close();
      current = larger;
    }
    return current.buffer();
  }

  private BufferPool.Lease nextBuffer(int wanted) throws IOException {
    int size = Math.min(wanted, begun.objectSize());
    BufferPool.Lease next = withinBudget(() -> pool.tryAcquire(size), () -> pool.acquire(size));
    limitToStripe(next.buffer());
    return next;
  }

  /** Takes memory of the pool, beyond its budget only if this file has none to become free. */
  private <T> T withinBudget(Supplier<Optional<T>> within, Supplier<T> beyond) throws IOException {
    while (writer.unanswered() > 0) {
      Optional<T> free = within.get();
      if (free.isPresent()) {
        return free.get();
      }
      writer.await();
    }
    return beyond.get();
  }

  private ByteBuffer limitToStripe(ByteBuffer buffer) {
    return buffer.clear().limit(Math.min(buffer.capacity(), begun.objectSize()));
  }

  private void sendStripe() throws IOException {
    if (!hasBegun) {
      publisher.begin(begun, settings.window());
      hasBegun = true;
    }
    while (writer.unanswered() >= settings.window() + AHEAD) {
      writer.await();
    }
    writer.handleAnswers();
    BufferPool.Lease stripe = current == null ? pool.acquire(1) : current;
    int count = stripe.buffer().position();
    BufferPool.Reservation copy =
        withinBudget(() -> pool.tryReserve(count), () -> pool.reserve(count));
    if (stripesSent.get() == FileData.MAX_STRIPES) {
      throw new IOException(
          "file "
              + begun.origin()
              + " would have more than "
              + FileData.MAX_STRIPES
              + " objects of "
              + begun.objectSize()
              + " bytes; give its directory a larger object size (`radosfs layout set`)");
    }
    int number = (int) stripesSent.getAndIncrement();
    int crc32c = (int) crc.getValue();
    crc.reset();
    sum.add(crc32c, count);
    if (number == 0) {
      current = null;
      writer.sendFirst(stripe, copy);
    } else {
      writer.send(number, crc32c, stripe, copy);
      limitToStripe(stripe.buffer());
    }
    bytesSent.addAndGet(count);
    settings.bytes().accept(count);
    settings.progress().run();
  }
}
