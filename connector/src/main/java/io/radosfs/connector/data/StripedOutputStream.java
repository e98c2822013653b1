// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Writes a file as stripes. The whole file becomes visible in {@link #close} (I2), by its {@link
 * FilePublisher}; nothing of it is visible before.
 *
 * <p><b>Cost.</b> One RADOS operation for each stripe ({@link StripeWriter}), however small the
 * writes, and those of the publisher. An empty file has one empty stripe. At most a window of
 * stripes is under way at a time, and a few full ones wait for their turn; beyond that the writer
 * waits.
 *
 * <p><b>Memory.</b> A few KiB on the heap. After the first few KiB also a buffer that grows with
 * the file to the size of a stripe, and a second one until the first stripe is in RADOS. librados'
 * copies of all stripes under way or ready count in the pool's budget; when it is used up, a stream
 * waits for its own stripes.
 *
 * <p><b>Failures.</b> After a failure, every write and close throws it again. The first close after
 * it, or {@link #abort}, waits for the stripes under way, removes all, and tells the publisher to
 * abandon the file. If an object may be left or may yet appear, because a removal failed or an
 * answer is missing, the publisher is not told, and the ledger keeps the file. If the publisher
 * throws {@link OutcomeUnknownException}, or another exception that does not rule out publication,
 * nothing is removed.
 *
 * <p>An interrupt ends a write or close that waits, and is a failure like any other. The clean-up
 * is not interrupted, and ends within the store's bound.
 *
 * <p>For one thread at a time; {@code close} and {@code abort} may come from another.
 */
public final class StripedOutputStream extends OutputStream
    implements Syncable, StreamCapabilities, Abortable, IOStatisticsSource {

  /** Gathers small writes without a lock. The array is never shared with another stream. */
  private static final int SMALL = 8 << 10;

  private enum State {
    OPEN,
    FAILED,
    CLOSED,
    ABORTED
  }

  private final byte[] small = new byte[SMALL];
  private int smallCount;
  private int smallLimit = SMALL;

  private final FileData begun;
  private final FilePublisher publisher;
  private final StreamSettings settings;
  private final StripeFiller filler;
  private final DataRemover remover;
  private final OutputStatistics counted = new OutputStatistics();
  private final IOStatistics statistics = counted.view();

  private State state = State.OPEN;
  private IOException failure;
  private boolean cleanedUp;
  private boolean reported;

  /**
   * No RADOS operation.
   *
   * @param store the store of the file's data pool; its owner closes it
   * @param file its length is ignored; {@code plainFirst} is the name to try first
   */
  public StripedOutputStream(
      ObjectStore store,
      FileData file,
      FilePublisher publisher,
      BufferPool pool,
      StreamSettings settings) {
    this.begun = file.withLength(0);
    this.publisher = publisher;
    this.settings = settings;
    this.filler = new StripeFiller(store, begun, publisher, pool, settings, counted);
    this.remover = new DataRemover(any -> store, settings.window());
  }

  @Override
  public void write(int value) throws IOException {
    int at = smallCount;
    if (at >= smallLimit) {
      flushSmall();
      at = smallCount;
    }
    small[at] = (byte) value;
    smallCount = at + 1;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, bytes.length);
    if (count < smallLimit - smallCount) {
      System.arraycopy(bytes, offset, small, smallCount, count);
      smallCount += count;
    } else {
      writeLarge(bytes, offset, count);
    }
  }

  private synchronized void writeLarge(byte[] bytes, int offset, int count) throws IOException {
    flushSmall();
    if (count < SMALL / 4) {
      System.arraycopy(bytes, offset, small, 0, count);
      smallCount = count;
    } else {
      guarded(() -> filler.put(bytes, offset, count));
    }
  }

  private synchronized void flushSmall() throws IOException {
    checkOpen();
    if (smallCount > 0) {
      int count = smallCount;
      smallCount = 0;
      guarded(() -> filler.put(small, 0, count));
    }
  }

  /** No effect: a file becomes visible when it is closed. */
  @Override
  public void flush() {}

  /**
   * Does what {@link StreamSettings#sync} says: nothing is visible before the file is closed.
   *
   * @throws IOException if the stream is closed or has failed
   */
  @Override
  public void hflush() throws IOException {
    syncRequested("hflush");
  }

  /**
   * Does what {@link StreamSettings#sync} says: nothing is durable before the file is closed.
   *
   * @throws IOException if the stream is closed or has failed
   */
  @Override
  public void hsync() throws IOException {
    syncRequested("hsync");
  }

  private synchronized void syncRequested(String call) throws IOException {
    checkOpen();
    settings.sync().received(call, begun.origin());
  }

  /**
   * Writes the rest, waits until all stripes are in RADOS, and publishes the file. Closing again
   * has no effect, but throws an earlier failure again.
   */
  @Override
  public synchronized void close() throws IOException {
    if (state == State.CLOSED || state == State.ABORTED) {
      return;
    }
    if (state == State.OPEN) {
      try {
        guarded(this::finish);
        state = State.CLOSED;
        return;
      } catch (IOException | RuntimeException | Error e) {
        cleanUp(e);
        throw e;
      } finally {
        report();
      }
    }
    IOException again = again();
    cleanUp(again);
    report();
    throw again;
  }

  /** Reports the statistics, once, when all is over. */
  private void report() {
    if (!reported) {
      reported = true;
      settings.statistics().accept(EndedStatistics.of(statistics));
    }
  }

  /** Gives the file up; see the class. No effect once the file was closed. */
  @Override
  public synchronized AbortableResult abort() {
    boolean over = state == State.CLOSED || state == State.ABORTED || cleanedUp;
    if (state != State.CLOSED) {
      state = State.ABORTED; // before anything that could fail: no close publishes it from now on
    }
    stopSmallWrites();
    IOException problem = new IOException("cannot clean up " + begun.origin());
    if (!over) {
      cleanUp(problem);
    }
    report();
    IOException told = problem.getSuppressed().length == 0 ? null : problem;
    return new AbortableResult() {
      @Override
      public boolean alreadyClosed() {
        return over;
      }

      @Override
      public IOException anyCleanupException() {
        return told;
      }
    };
  }

  @Override
  public boolean hasCapability(String capability) {
    switch (capability.toLowerCase(Locale.ROOT)) {
      case StreamCapabilities.ABORTABLE_STREAM:
      case StreamCapabilities.IOSTATISTICS:
        return true;
      default:
        return false;
    }
  }

  @Override
  public IOStatistics getIOStatistics() {
    return statistics;
  }

  @Override
  public String toString() {
    return "StripedOutputStream{" + begun.origin() + ", " + statistics + "}";
  }

  private void finish() throws IOException {
    flushSmall();
    stopSmallWrites();
    publish(filler.finish());
  }

  private void publish(FileData finished) throws IOException {
    boolean visible = true;
    try {
      publisher.publish(finished, filler.crc32c());
    } catch (IOException e) {
      counted.publishingExceptions.incrementAndGet();
      visible = publisher.mayBePublished(e);
      throw e;
    } finally {
      if (visible) {
        // Published, or perhaps: from here on nothing is removed.
        cleanedUp = true;
      }
    }
  }

  private void guarded(InvocationRaisingIOE step) throws IOException {
    try {
      step.apply();
    } catch (IOException e) {
      failed();
      IOException told = told(e);
      keep(told);
      throw told;
    } catch (RuntimeException | Error e) {
      failed();
      keep(e);
      throw e;
    }
  }

  /** RADOS knows objects only; who writes a file knows its path. */
  private IOException told(IOException e) {
    return Failures.about(begun.origin(), e);
  }

  /** Needs no memory: a stream that stayed open would publish what it has not written. */
  private void failed() {
    if (state == State.OPEN) {
      state = State.FAILED;
      counted.exceptions.incrementAndGet();
      stopSmallWrites();
    }
  }

  /** The first failure is what each later call throws again. */
  private void keep(Throwable e) {
    if (failure == null) {
      failure = Await.failure(e);
    }
  }

  private IOException again() {
    return failure != null
        ? Await.rethrowable(failure)
        : new IOException(
            begun.origin() + ": an earlier write failed when no memory was left to tell of it");
  }

  /** From now on every write goes to {@link #checkOpen}. */
  private void stopSmallWrites() {
    smallLimit = 0;
    smallCount = 0;
  }

  private void checkOpen() throws IOException {
    switch (state) {
      case OPEN:
        return;
      case FAILED:
        throw again();
      default:
        throw new IOException(begun.origin() + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  /** Removes what was written, once; adds failures to the reason as suppressed exceptions. */
  private void cleanUp(Throwable reason) {
    try {
      FollowUp.evenIfInterrupted(this::removeWritten);
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    } finally {
      cleanedUp = true;
      filler.release();
      publisher.gaveUp();
    }
  }

  private void removeWritten() throws IOException {
    boolean mayAppear = filler.drain();
    if (!cleanedUp && filler.hasBegun()) {
      boolean unused = remover.removeUpTo(filler.file(), filler.highestStripe(), settings.window());
      if (!mayAppear) {
        publisher.abandon(filler.file());
      }
    }
  }
}
