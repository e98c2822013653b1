// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.security.AccessControlException;

/**
 * Writes a file as stripes. It becomes visible, whole, in {@link #close} (I2), by its {@link
 * FilePublisher}; until then nothing of it is.
 *
 * <p><b>Cost.</b> One RADOS operation a stripe ({@link StripeWriter}), however small the writes,
 * and what the publisher needs. An empty file has one empty stripe. Up to the window are under way
 * at a time and a few more wait, full, for their turn; beyond that the writer waits.
 *
 * <p><b>Memory.</b> A few KiB on the heap, and from the first few KiB on a buffer that grows with
 * the file to the size of a stripe; a second one until the first stripe is in RADOS. Within the
 * pool's budget, as much as librados copies of every stripe under way or ready: where the budget is
 * used up, a stream waits for its own stripes.
 *
 * <p><b>Failures.</b> After one, every write and close throws it anew. The first close after a
 * failure, or {@link #abort}, waits for the stripes under way, removes all, and tells the publisher
 * to abandon the file. Where an object may be left, or may yet appear, because a removal failed or
 * an answer is missing, the publisher is not told, and the ledger keeps the file. A publisher that
 * throws {@link OutcomeUnknownException}, or anything else that does not say that the file was not
 * published, may have published it: nothing is removed.
 *
 * <p>An interrupt ends a write or close that waits, which is a failure as any other; cleaning up is
 * not interrupted, and ends within the store's bound.
 *
 * <p>To be used by one thread at a time; {@code close} and {@code abort} may come from another.
 */
public final class StripedOutputStream extends OutputStream
    implements Syncable, StreamCapabilities, Abortable, IOStatisticsSource {

  /** Small writes are gathered here without a lock; the buffer is no other stream's, ever. */
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
   * @param store of the file's data pool; stays its owner's to close
   * @param file its length is of no account; {@code plainFirst} is what to try first
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

  /** Of no effect: a file is visible when it is closed. */
  @Override
  public void flush() {}

  /**
   * Left to {@link StreamSettings#sync}: nothing is visible before the file is closed.
   *
   * @throws IOException when the stream is closed or has failed
   */
  @Override
  public void hflush() throws IOException {
    syncRequested("hflush");
  }

  /**
   * Left to {@link StreamSettings#sync}: nothing is durable before the file is closed.
   *
   * @throws IOException when the stream is closed or has failed
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
   * Writes what is left, waits until all is in RADOS, and publishes the file. Closing once more
   * does nothing, except that a failure is thrown anew.
   */
  @Override
  public synchronized void close() throws IOException {
    if (state == State.CLOSED || state == State.ABORTED) {
      return;
    }
    if (state == State.OPEN) {
      try {
        finish();
        state = State.CLOSED;
        return;
      } catch (IOException | RuntimeException | Error e) {
        failed(e);
        cleanUp(e);
        throw e;
      } finally {
        report();
      }
    }
    IOException again = Await.rethrowable(failure);
    cleanUp(again);
    report();
    throw again;
  }

  /** Once, when all is over. */
  private void report() {
    if (!reported) {
      reported = true;
      settings.statistics().accept(statistics);
    }
  }

  /** Gives the file up; see the class. Of no effect once the file was closed. */
  @Override
  public synchronized AbortableResult abort() {
    boolean over = state == State.CLOSED || state == State.ABORTED || cleanedUp;
    IOException problem = new IOException("cannot clean up " + begun.origin());
    if (!over) {
      cleanUp(problem);
    }
    if (state != State.CLOSED) {
      state = State.ABORTED;
    }
    stopSmallWrites();
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
      visible = mayBePublished(e);
      throw e;
    } finally {
      if (visible) {
        // Published, or perhaps: from here on nothing is removed.
        cleanedUp = true;
      }
    }
  }

  /** As {@link FilePublisher#publish} says: what else it throws, it throws of unpublished files. */
  private static boolean mayBePublished(IOException e) {
    boolean ofTheStore = e instanceof StoreException || e instanceof AccessControlException;
    return e instanceof OutcomeUnknownException
        || e instanceof InterruptedIOException
        || ofTheStore && new FailedWrite(e).mayHaveTakenEffect();
  }

  private interface Step {
    void run() throws IOException;
  }

  private void guarded(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      failed(e);
      throw e;
    }
  }

  private void failed(Throwable e) {
    if (state == State.OPEN) {
      state = State.FAILED;
      failure = Await.failure(e);
      counted.exceptions.incrementAndGet();
      stopSmallWrites();
    }
  }

  /** From now on every write comes to {@link #checkOpen}. */
  private void stopSmallWrites() {
    smallLimit = 0;
    smallCount = 0;
  }

  private void checkOpen() throws IOException {
    switch (state) {
      case OPEN:
        return;
      case FAILED:
        throw Await.rethrowable(failure);
      default:
        throw new IOException(begun.origin() + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  /** Removes what was written, once; what goes wrong is suppressed in the reason for it. */
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
      remover.removeUpTo(filler.file(), filler.highestStripe(), settings.window());
      if (!mayAppear) {
        publisher.abandon(filler.file());
      }
    }
  }
}
