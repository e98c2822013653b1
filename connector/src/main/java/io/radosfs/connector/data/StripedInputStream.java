// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;

/**
 * Reads a striped file. Opening costs no RADOS operation, as the file's data is known.
 *
 * <ul>
 *   <li>Sequential reads read ahead ({@link ReadAhead}: chunks, their number and their memory).
 *   <li>A seek costs nothing; buffered bytes stay useful if the new position is among them.
 *   <li>A positioned read reads exactly its range, one operation for each stripe, in parallel. It
 *       leaves the sequential position and buffers alone.
 *   <li>A vectored read costs one operation for each stripe ({@link VectoredReads}).
 * </ul>
 *
 * <p>If the file is removed or replaced meanwhile, a read throws {@link
 * java.io.FileNotFoundException} and never returns bytes of another file. If the file is damaged, a
 * read throws an IOException and never returns fewer bytes ({@link StripeReader}).
 *
 * <p>Thread-safe; positioned and vectored reads do not wait for other threads.
 */
public final class StripedInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanUnbuffer,
        StreamCapabilities,
        IOStatisticsSource {

  private static final int MIN_SEEK = 128 << 10;
  private static final int MAX_MERGED = 4 << 20;

  private final StripeReader reader;
  private final BufferPool pool;
  private final PositionedReads positioned;
  private final ReadAhead ahead;
  private final LongConsumer told;
  private final long length;
  private final AtomicLong bytesRead = new AtomicLong();
  private final InputStatistics counted = new InputStatistics();
  private final Consumer<IOStatistics> gatherer;

  private long position;
  private long untold;
  private volatile boolean closed;

  /**
   * @param store the store of the file's data pool; its owner closes it
   * @param path that the file is opened by
   */
  public StripedInputStream(
      ObjectStore store, FsPath path, FileData file, BufferPool pool, StreamSettings settings) {
    this.reader = new StripeReader(store, path, file, settings.from(), counted);
    this.pool = pool;
    this.positioned = new PositionedReads(reader, pool);
    this.ahead = new ReadAhead(reader, pool, settings.window(), settings.plan(), counted);
    this.told = settings.bytes();
    this.length = file.length();
    this.gatherer = settings.statistics();
    counted.opened.incrementAndGet();
  }

  @Override
  public synchronized int read() throws IOException {
    checkOpen();
    if (position >= length) {
      return -1;
    }
    int value = ahead.at(position, 1).get() & 0xff;
    position++;
    untold++;
    if (untold >= MIN_SEEK || position == length) {
      tell();
    }
    ahead.finished(position);
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, bytes.length);
    return read(ByteBuffer.wrap(bytes, offset, count));
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    checkOpen();
    if (!into.hasRemaining()) {
      return 0;
    }
    if (position >= length) {
      counted.read(into.remaining(), -1);
      return -1;
    }
    int asked = into.remaining();
    int wanted = (int) Math.min(into.remaining(), length - position);
    long from = position;
    int start = into.position();
    boolean whole = false;
    try {
      readAhead(into, wanted);
      whole = true;
    } finally {
      if (!whole) {
        // The caller does not know of what came before the failure, and may read again.
        position = from;
        into.position(start);
      }
    }
    untold += wanted;
    tell();
    counted.read(asked, wanted);
    return wanted;
  }

  private void readAhead(ByteBuffer into, int wanted) throws IOException {
    int done = 0;
    while (done < wanted) {
      ByteBuffer chunk = ahead.at(position, wanted - done);
      int count = Math.min(chunk.remaining(), wanted - done);
      into.put(chunk.slice().limit(count));
      done += count;
      position += count;
      ahead.finished(position);
    }
  }

  @Override
  public synchronized void seek(long target) throws IOException {
    checkOpen();
    if (target < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + " " + target);
    }
    if (target > length) {
      throw new EOFException(
          FSExceptionMessages.CANNOT_SEEK_PAST_EOF + " " + target + " of " + length);
    }
    counted.seek(position, target);
    position = target;
  }

  @Override
  public synchronized long getPos() throws IOException {
    return position;
  }

  /** There is only one source of the data. */
  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public synchronized long skip(long count) throws IOException {
    checkOpen();
    long skipped = Math.max(0, Math.min(count, length - position));
    position += skipped;
    counted.skips.incrementAndGet();
    counted.bytesSkipped.addAndGet(skipped);
    return skipped;
  }

  /** The rest of the file, as in HDFS: no part of it needs more than one round trip. */
  @Override
  public synchronized int available() throws IOException {
    checkOpen();
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public int read(long from, byte[] bytes, int offset, int count) throws IOException {
    checkOpen();
    validatePositionedReadArgs(from, bytes, offset, count);
    return read(from, ByteBuffer.wrap(bytes, offset, count));
  }

  @Override
  public void readFully(long from, byte[] bytes, int offset, int count) throws IOException {
    checkOpen();
    validatePositionedReadArgs(from, bytes, offset, count);
    readFully(from, ByteBuffer.wrap(bytes, offset, count));
  }

  @Override
  public int read(long from, ByteBuffer into) throws IOException {
    checkOpen();
    checkPosition(from);
    if (!into.hasRemaining()) {
      return 0;
    }
    int asked = into.remaining();
    if (from >= length) {
      counted.read(asked, -1);
      return -1;
    }
    int count = (int) Math.min(asked, length - from);
    positioned.read(from, into, count);
    tellOf(count);
    counted.read(asked, count);
    return count;
  }

  @Override
  public void readFully(long from, ByteBuffer into) throws IOException {
    checkOpen();
    checkPosition(from);
    if (into.remaining() > length - from && into.hasRemaining()) {
      throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
    }
    if (into.hasRemaining()) {
      counted.fullReads.incrementAndGet();
      read(from, into);
    }
  }

  @Override
  public int minSeekForVectorReads() {
    return MIN_SEEK;
  }

  @Override
  public int maxReadSizeForVectorReads() {
    return MAX_MERGED;
  }

  @Override
  public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    checkOpen();
    int operations = VectoredReads.start(reader, pool, ranges, allocate, () -> closed);
    long bytes = 0;
    for (FileRange range : ranges) {
      bytes += range.getLength();
    }
    counted.vectoredReads.incrementAndGet();
    counted.vectoredRanges.addAndGet(ranges.size());
    counted.vectoredOperations.addAndGet(operations);
    tellOf(bytes);
  }

  /** Buffers of failed ranges are left to the garbage collector, so nothing is released. */
  @Override
  public void readVectored(
      List<? extends FileRange> ranges,
      IntFunction<ByteBuffer> allocate,
      Consumer<ByteBuffer> release)
      throws IOException {
    Objects.requireNonNull(release);
    readVectored(ranges, allocate);
  }

  /** Returns the buffers to the pool; reading can go on at the same position. */
  @Override
  public synchronized void unbuffer() {
    tell();
    counted.unbuffered.incrementAndGet();
    counted.discardedByClose.addAndGet(ahead.release());
  }

  @Override
  public synchronized void close() throws IOException {
    counted.closeCalls.incrementAndGet();
    if (!closed) {
      closed = true;
      tell();
      counted.closed.incrementAndGet();
      counted.discardedByClose.addAndGet(ahead.release());
      gatherer.accept(counted.ended(bytesRead.get()));
    }
  }

  @Override
  public boolean hasCapability(String capability) {
    switch (capability.toLowerCase(Locale.ROOT)) {
      case StreamCapabilities.UNBUFFER:
      case StreamCapabilities.READBYTEBUFFER:
      case StreamCapabilities.PREADBYTEBUFFER:
      case StreamCapabilities.IOSTATISTICS:
      case StreamCapabilities.VECTOREDIO:
        return true;
      default:
        return false;
    }
  }

  /** A live view, made only when asked for, as most streams never are. */
  @Override
  public IOStatistics getIOStatistics() {
    return counted.view(() -> bytesRead.get() + untold);
  }

  @Override
  public String toString() {
    return "StripedInputStream{" + reader.path() + ", " + getIOStatistics() + "}";
  }

  private void tell() {
    long count = untold;
    if (count > 0) {
      untold = 0;
      tellOf(count);
    }
  }

  private void tellOf(long count) {
    bytesRead.addAndGet(count);
    told.accept(count);
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException(reader.path() + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  private static void checkPosition(long from) throws EOFException {
    if (from < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + " " + from);
    }
  }
}
