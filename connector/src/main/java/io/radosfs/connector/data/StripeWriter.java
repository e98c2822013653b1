package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Writes the stripes of one file asynchronously, at most a window of them at a time: what is sent
 * beyond that goes out when an answer comes ({@link OperationWindow}).
 *
 * <p><b>Cost.</b> One RADOS operation a stripe: an exclusive create with the content and, for the
 * first stripe, the uid. Where the plain name of the first stripe is taken, one more, under the
 * name with the uid.
 *
 * <p><b>Lost answers.</b> A stripe whose answer was lost is looked up (one read) before it is sent
 * again, at most {@value #ATTEMPTS} times in all. An operation is atomic, so a stripe that is there
 * is there whole. A stripe keeps its buffer until it is known to be in RADOS.
 *
 * <p>Answers are dealt with in the thread that calls {@link #await}, {@link #poll} or {@link
 * #drain}, never in the store's. Not thread-safe.
 */
final class StripeWriter {

  private static final int ATTEMPTS = 3;

  private final ObjectStore store;
  private final byte[] uid;
  private final long objectSize;
  private final OperationWindow window;
  private final OutputStatistics statistics;
  private final LinkedBlockingQueue<Stripe> answered = new LinkedBlockingQueue<>();
  private FileData file;
  private int unanswered;
  private boolean unresolved;

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

  /** The file with the name that its first stripe has, as far as it is known. */
  FileData file() {
    return file;
  }

  /** The number of stripes sent and not yet returned by {@link #await} or {@link #poll}. */
  int unanswered() {
    return unanswered;
  }

  /** Whether a write was given up without an answer: it may yet take effect. */
  boolean unresolved() {
    return unresolved;
  }

  /**
   * Writes a stripe, each once: at once, or as soon as the window allows.
   *
   * @param buffer its content, from 0 to the position; owned by this from now on
   */
  void send(int number, BufferPool.Lease buffer) {
    boolean sent = false;
    try {
      send(new Stripe(number, buffer, buffer.buffer().duplicate().flip(), file.stripe(number)));
      unanswered++;
      sent = true;
    } finally {
      if (!sent) {
        buffer.close();
      }
    }
  }

  /**
   * Waits until some stripe is safely in RADOS.
   *
   * @return its buffer, now the caller's
   * @throws IOException when a stripe could not be written, or on an interrupt (then the stripes
   *     stay under way)
   */
  BufferPool.Lease await() throws IOException {
    while (true) {
      Stripe stripe = Await.take(answered);
      if (settled(stripe)) {
        return stripe.buffer;
      }
    }
  }

  /** The buffer of a stripe that is safely in RADOS by now, if there is one; see {@link #await}. */
  Optional<BufferPool.Lease> poll() throws IOException {
    while (true) {
      Stripe stripe = answered.poll();
      if (stripe == null) {
        return Optional.empty();
      }
      if (settled(stripe)) {
        return Optional.of(stripe.buffer);
      }
    }
  }

  /**
   * Waits for the answer of every stripe under way, good or bad, and gives the buffers back;
   * repeats nothing, and starts nothing that waits for its turn.
   */
  void drain() throws IOException {
    window.cancelWaiting();
    while (unanswered > 0) {
      Stripe stripe = Await.take(answered);
      unanswered--;
      stripe.buffer.close();
      unresolved |= stripe.failure != null && isUnknown(stripe.failure);
    }
  }

  /** Deals with an answer: the stripe is in RADOS (true), or was sent once more (false). */
  private boolean settled(Stripe stripe) throws IOException {
    boolean done = false;
    boolean resent = false;
    try {
      done = stripe.failure == null || isThere(stripe, stripe.failure);
      if (!done) {
        send(stripe);
        resent = true;
      }
      return done;
    } finally {
      if (done) {
        statistics.stored(stripe.data.remaining());
      }
      if (!resent) {
        unanswered--;
      }
      if (!done && !resent) {
        unresolved |= stripe.lostAnswer;
        stripe.buffer.close();
      }
    }
  }

  /** Decides after a failed attempt; false asks for another, under the name that is now set. */
  private boolean isThere(Stripe stripe, IOException failure) throws IOException {
    if (isUnknown(failure)) {
      stripe.lostAnswer = true;
    } else if (!(failure instanceof StoreException store && store.is(Kind.EXISTS))) {
      throw Await.rethrowable(failure);
    } else if (ownsPlainName(stripe) && !stripe.lostAnswer) {
      useNameWithUid(stripe);
      return false;
    }
    switch (look(stripe)) {
      case OURS:
        stripe.lostAnswer = false;
        return true;
      case OTHERS:
        if (!ownsPlainName(stripe)) {
          throw new IOException(
              "object " + stripe.name + " was not written by this writer, whose uid it bears");
        }
        useNameWithUid(stripe);
        return false;
      default:
        if (stripe.attempts >= ATTEMPTS) {
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
    ReadOp.Builder op = ReadOp.builder().size();
    if (stripe.number == 0) {
      op.xattr(FileData.UID_XATTR);
    }
    try {
      ReadResult seen = Reads.read(store, stripe.name, op.build());
      if (stripe.number == 0 && !Arrays.equals(uid, seen.xattr(1).orElse(null))) {
        return Found.OTHERS;
      }
      return seen.bytes(0) == stripe.data.remaining() ? Found.OURS : Found.OTHERS;
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

  private void send(Stripe stripe) {
    stripe.attempts++;
    OutputStatistics.Upload upload = statistics.upload(stripe.data.remaining());
    window
        .start(turn -> store.writeAsync(stripe.name, operation(stripe), turn.thenRun(upload::sent)))
        .whenComplete(
            (done, thrown) -> {
              upload.answered();
              stripe.failure = thrown == null ? null : Await.failure(thrown);
              answered.add(stripe);
            });
  }

  private WriteOp operation(Stripe stripe) {
    WriteOp.Builder op =
        WriteOp.builder()
            .createExclusive()
            .hintWrittenOnce(objectSize)
            .writeFull(stripe.data.duplicate());
    if (stripe.number == 0) {
      op.setXattr(FileData.UID_XATTR, uid);
    }
    return op.build();
  }

  private static boolean isUnknown(IOException failure) {
    return failure instanceof StoreException store && store.is(Kind.OUTCOME_UNKNOWN);
  }

  /** A stripe on its way; handed between threads by the queue. */
  private static final class Stripe {
    final int number;
    final BufferPool.Lease buffer;
    final ByteBuffer data;
    String name;
    int attempts;
    boolean lostAnswer;
    IOException failure;

    Stripe(int number, BufferPool.Lease buffer, ByteBuffer data, String name) {
      this.number = number;
      this.buffer = buffer;
      this.data = data;
      this.name = name;
    }
  }
}
