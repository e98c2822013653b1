// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes the stripes of one file asynchronously, at most a window of them at a time. Further
 * stripes are sent when answers come ({@link OperationWindow}).
 *
 * <p><b>Cost.</b> One RADOS operation for each stripe: an exclusive create with the content and,
 * for the first stripe, the uid. If the plain name of the first stripe is taken, one read tells by
 * whom, and one more operation writes it under the name with the uid.
 *
 * <p><b>Lost answers.</b> A stripe whose answer was lost is looked up (one read). An operation is
 * atomic, so a stripe that exists is complete. If the first stripe is missing, it is sent again, at
 * most {@value #ATTEMPTS} times in all. If another stripe is missing, the file fails.
 *
 * <p><b>Memory.</b> librados copies a stripe when it is sent, and holds the copy until the answer.
 * Only the first stripe also keeps its buffer, as it may have to be sent under another name.
 * librados itself sends again what an OSD did not answer, until the operation timeout. Keeping all
 * buffers for later would cost as much memory again. It would also cost time, as each stripe would
 * be filled in memory that the processor's cache does not hold.
 *
 * <p>Answers are handled in the thread that calls {@link #await}, {@link #handleAnswers} or {@link
 * #drain}, never in the store's. Not thread-safe.
 */
final class StripeWriter {

  private static final int ATTEMPTS = 3;

  private final ObjectStore store;
  private final byte[] uid;
  private final long objectSize;
  private final OperationWindow window;
  private final OutputStatistics statistics;
  private final AnswerQueue<Stripe> answered = new AnswerQueue<>();
  private FileData file;
  private int unanswered;
  private boolean unresolved;

  /** Nobody waits for answers any more: each frees the memory of its stripe as it comes. */
  private volatile boolean left;

  /**
   * @param window the most stripes that RADOS works on at a time
   */
  StripeWriter(ObjectStore store, FileData file, int window, OutputStatistics statistics) {
    this.statistics = statistics;
    this.store = store;
    this.window = new OperationWindow(window);
    this.file = file;
    this.uid = UidXattr.value(file);
    this.objectSize = file.objectSize();
  }

  /** The file, with the name of its first stripe as far as it is known. */
  FileData file() {
    return file;
  }

  /** The number of stripes sent whose answers were not handled yet. */
  int unanswered() {
    return unanswered;
  }

  /** Whether a write was given up that may have taken effect, or may yet. */
  boolean unresolved() {
    return unresolved;
  }

  /**
   * Writes the first stripe: at once, or as soon as the window allows.
   *
   * @param buffer its content, from 0 to the position; owned by this from now on
   * @param copy the memory of librados' copy; owned by this from now on
   */
  void sendFirst(BufferPool.Lease buffer, BufferPool.Reservation copy) {
    start(
        new Stripe(0, file.stripe(0), buffer.buffer().position(), copy, buffer),
        Optional.empty(),
        content(buffer));
  }

  /**
   * Writes another stripe, each once: at once, or as soon as the window allows.
   *
   * @param crc32c of its content
   * @param buffer its content, from 0 to the position; the caller may reuse it when this returns
   * @param copy the memory of librados' copy; owned by this from now on
   */
  void send(int number, int crc32c, BufferPool.Lease buffer, BufferPool.Reservation copy) {
    start(
        new Stripe(number, file.stripe(number), buffer.buffer().position(), copy, null),
        Optional.of(FileComparison.hex(crc32c)),
        content(buffer));
  }

  private static ByteBuffer content(BufferPool.Lease buffer) {
    return buffer.buffer().duplicate().flip();
  }

  private void start(Stripe stripe, Optional<String> crc32c, ByteBuffer content) {
    boolean started = false;
    try {
      send(stripe, crc32c, content);
      unanswered++;
      started = true;
    } finally {
      if (!started) {
        stripe.release();
      }
    }
  }

  /**
   * Waits until some stripe is certainly in RADOS.
   *
   * @throws IOException if a stripe could not be written, or on an interrupt (the stripes stay
   *     under way)
   */
  void await() throws IOException {
    boolean stored = false;
    while (!stored) {
      stored = handle(answered.take());
    }
  }

  /** Handles the answers that have come; see {@link #await}. */
  void handleAnswers() throws IOException {
    for (Stripe stripe = answered.poll(); stripe != null; stripe = answered.poll()) {
      boolean unused = handle(stripe);
    }
  }

  /**
   * Waits for the answer of every stripe under way, good or bad, and frees their memory. Repeats
   * nothing, and starts no stripe that still waits for its turn. An interrupt ends the wait; then
   * memory is freed as answers come, as the caller may not come back.
   */
  void drain() throws IOException {
    window.cancelWaiting();
    while (unanswered > 0) {
      Stripe stripe = takeOrLeave();
      unanswered--;
      stripe.release();
      unresolved |=
          stripe.thrown != null && (stripe.lostAnswer || stripe.sent && mayHaveTakenEffect(stripe));
    }
  }

  /** What no memory is left to look at may have. */
  private static boolean mayHaveTakenEffect(Stripe stripe) {
    try {
      return new FailedWrite(stripe.failure()).mayHaveTakenEffect();
    } catch (RuntimeException | Error e) {
      return true;
    }
  }

  private Stripe takeOrLeave() throws IOException {
    try {
      return answered.take();
    } catch (InterruptedIOException e) {
      left = true;
      answered.forEach(Stripe::release); // those that came before; they stay, to be counted
      throw e;
    }
  }

  /** Handles an answer. Returns true if the stripe is in RADOS, false if it was sent once more. */
  private boolean handle(Stripe stripe) throws IOException {
    boolean done = false;
    boolean sentAgain = false;
    try {
      IOException failure = stripe.failure();
      done = failure == null || isThere(stripe, failure);
      if (done) {
        statistics.stored(stripe.length);
      } else {
        send(stripe, Optional.empty(), content(stripe.buffer));
        sentAgain = true;
      }
      return done;
    } catch (RuntimeException | Error e) {
      stripe.lostAnswer |= stripe.thrown != null; // nobody has looked what it tells
      throw e;
    } finally {
      if (!sentAgain) {
        unanswered--;
        unresolved |= !done && stripe.lostAnswer;
        stripe.release();
      }
    }
  }

  /**
   * Decides after a failed attempt. Returns false, only for a stripe that has its buffer, to ask
   * for another attempt under the name that is now set.
   */
  private boolean isThere(Stripe stripe, IOException failure) throws IOException {
    FailedWrite failed = new FailedWrite(failure);
    if (failed.mayHaveTakenEffect()) {
      stripe.lostAnswer = true;
    } else if (!stripe.lostAnswer) {
      if (!failed.is(Kind.EXISTS)) {
        throw Await.rethrowable(failure);
      }
      if (ownsPlainName(stripe)) {
        // It may be ours: an OSD may have applied the write, and not know that any more when it
        // came once more.
        if (look(stripe) == Found.OURS) {
          return true;
        }
        useNameWithUid(stripe);
        return false;
      }
    }
    switch (look(stripe)) {
      case OURS:
        stripe.lostAnswer = false;
        return true;
      case OTHERS:
        if (!ownsPlainName(stripe)) {
          throw new IOException(
              "object " + stripe.name + " has the uid of this writer, which did not write it");
        }
        useNameWithUid(stripe);
        return false;
      default:
        if (!failed.isWorthRepeating() || stripe.attempts >= ATTEMPTS || stripe.buffer == null) {
          throw Await.rethrowable(failure);
        }
        return false;
    }
  }

  private enum Found {
    OURS,
    OTHERS,
    NOTHING
  }

  private Found look(Stripe stripe) throws IOException {
    ReadOp.Builder op = ReadOp.builder().afterWrites().size();
    if (stripe.number == 0) {
      op.xattr(FileData.UID_XATTR);
    }
    try {
      ReadResult seen = Reads.read(store, stripe.name, op.build());
      if (stripe.number == 0 && !Arrays.equals(uid, seen.xattr(1).orElse(null))) {
        return Found.OTHERS;
      }
      return seen.bytes(0) == stripe.length ? Found.OURS : Found.OTHERS;
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Found.NOTHING;
      }
      throw e;
    }
  }

  private boolean ownsPlainName(Stripe stripe) {
    return stripe.number == 0 && file.plainFirst();
  }

  private void useNameWithUid(Stripe stripe) {
    file = file.withPlainFirst(false);
    stripe.name = file.stripe(0);
    stripe.attempts = 0;
  }

  private void send(Stripe stripe, Optional<String> crc32c, ByteBuffer content) {
    stripe.attempts++;
    stripe.sent = false;
    OutputStatistics.Upload upload = statistics.upload(stripe.length);
    WriteOp op = operation(stripe.number, crc32c, content);
    AnswerQueue.Place<Stripe> place = answered.place(stripe);
    window
        .start(
            turn ->
                store.writeAsync(
                    stripe.name,
                    op,
                    turn.thenRun(
                        () -> {
                          stripe.sent = true;
                          upload.sent();
                        })))
        .whenComplete(
            (done, thrown) -> {
              stripe.thrown = thrown;
              try {
                if (stripe.sent) {
                  upload.answered();
                } else {
                  upload.aborted();
                }
              } finally { // whoever waits would wait for ever
                place.fill();
                if (left) {
                  stripe.release();
                }
              }
            });
  }

  private WriteOp operation(int number, Optional<String> crc32c, ByteBuffer content) {
    WriteOp.Builder op =
        WriteOp.builder().createExclusive().hintWrittenOnce(objectSize).writeFull(content);
    if (number == 0) {
      op.setXattr(FileData.UID_XATTR, uid);
    }
    crc32c.ifPresent(
        sum -> op.setXattr(FileData.CRC32C_XATTR, sum.getBytes(StandardCharsets.US_ASCII)));
    return op.build();
  }

  /** A stripe under way; the queue passes it between threads. */
  private static final class Stripe {
    final int number;
    final int length;
    final BufferPool.Reservation copy;

    /** The content for another attempt; null if only librados has the content. */
    final BufferPool.Lease buffer;

    String name;
    int attempts;

    /** Whether the turn of this attempt has come. Else it has no effect, and will have none. */
    volatile boolean sent;

    /** Whether an attempt may have taken effect, and no look-up has shown that it had none. */
    boolean lostAnswer;

    /** Why this attempt failed, as its future told; null if it did not. */
    Throwable thrown;

    Stripe(
        int number, String name, int length, BufferPool.Reservation copy, BufferPool.Lease buffer) {
      this.number = number;
      this.name = name;
      this.length = length;
      this.copy = copy;
      this.buffer = buffer;
    }

    /** The failure, made in the thread that handles the answer; null if there was none. */
    IOException failure() {
      return thrown == null ? null : Await.failure(thrown);
    }

    void release() {
      copy.close();
      if (buffer != null) {
        buffer.close();
      }
    }
  }
}
