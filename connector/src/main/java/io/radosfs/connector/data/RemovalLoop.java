// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;

/**
 * Removes files, several at a time, from one thread, which starts operations, takes their answers
 * from a queue, and starts the next ones. Used once.
 */
final class RemovalLoop {

  static final int ATTEMPTS = 3;

  private static final int MOST_SUPPRESSED = 10;

  private final int parallel;
  private final AnswerQueue<Removal> answered = new AnswerQueue<>();
  private final ArrayDeque<FileRemoval> ready = new ArrayDeque<>();
  private int underWay;
  private IOException firstFailure;
  private boolean removed;

  /** An operation had no answer in all its time: the caller has waited long enough. */
  private boolean givenUp;

  /**
   * @param parallel the most operations under way at a time
   */
  RemovalLoop(int parallel) {
    this.parallel = parallel;
  }

  /**
   * Removes all files, and throws the first failure after all were tried. Once an operation has
   * used up its time unanswered, nothing more is begun, so this takes the time of two at most.
   */
  void run(Iterator<FileRemoval> files) throws IOException {
    while (true) {
      while (underWay < parallel && !givenUp && (!ready.isEmpty() || files.hasNext())) {
        FileRemoval file = ready.isEmpty() ? files.next() : ready.poll();
        startNext(file);
      }
      if (underWay == 0) {
        break;
      }
      handle(answered.take());
    }
    if (firstFailure != null) {
      throw firstFailure;
    }
  }

  /** Whether any object was there, or may have been, and is removed. */
  boolean hasRemoved() {
    return removed;
  }

  /** Starts one operation of the file, and queues the file again if it could start another. */
  private void startNext(FileRemoval file) throws InterruptedIOException {
    file.queued = false;
    try {
      if (file.canStart()) {
        start(file.startNext());
      }
    } catch (InterruptedIOException e) {
      throw e; // No file has failed.
    } catch (IOException | RuntimeException e) {
      IOException failure = Await.failure(e);
      givenUp |= Failures.hasWaitedInFull(failure);
      fail(file, failure);
    }
    requeue(file);
  }

  private void start(Removal removal) throws IOException {
    AnswerQueue.Place<Removal> place = answered.place(removal);
    CompletableFuture<Void> operation = removal.file.store().writeAsync(removal.object, removal.op);
    underWay++;
    removal.attempts++;
    operation.whenComplete(
        (done, thrown) -> {
          removal.thrown = thrown; // and nothing that could fail: an answer must not be lost
          place.fill();
        });
  }

  private void handle(Removal removal) {
    underWay--;
    FileRemoval file = removal.file;
    IOException failure = removal.thrown == null ? null : Await.failure(removal.thrown);
    boolean gone =
        failure == null
            || failure instanceof StoreException e
                && (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED));
    if (gone) {
      // Where an earlier try had no answer, it may have been the one that removed it.
      removed |= failure == null || removal.attempts > 1;
      try {
        file.gone(removal);
      } catch (RuntimeException e) {
        fail(file, Await.failure(e));
      }
    } else if (new FailedWrite(failure).isWorthRepeating() && removal.attempts < ATTEMPTS) {
      try {
        start(removal);
      } catch (IOException | RuntimeException again) {
        fail(file, Await.failure(again));
      }
    } else {
      givenUp |= new FailedWrite(failure).isUnanswered();
      fail(file, failure);
    }
    requeue(file);
  }

  private void requeue(FileRemoval file) {
    if (file.canStart() && !file.queued) {
      file.queued = true;
      ready.add(file);
    }
  }

  private void fail(FileRemoval file, IOException failure) {
    file.failed = true;
    if (firstFailure == null) {
      firstFailure = Await.rethrowable(failure);
    } else if (firstFailure.getSuppressed().length < MOST_SUPPRESSED) {
      firstFailure.addSuppressed(failure);
    }
  }

  /** One operation; the queue passes it between threads. */
  private static final class Removal {
    final FileRemoval file;
    final int stripe;
    final String object;
    final WriteOp op;
    int attempts;
    Throwable thrown;

    Removal(FileRemoval file, int stripe, String object, WriteOp op) {
      this.file = file;
      this.stripe = stripe;
      this.object = object;
      this.op = op;
    }
  }

  /** Finds the highest stripe that there can be, when the removal begins. */
  @FunctionalInterface
  interface Highest {
    int in(ObjectStore store) throws IOException;
  }

  /** A file to remove, and the progress of its removal. */
  static final class FileRemoval {
    private static final int UNKNOWN = -1;

    private final FileData file;
    private final Highest highest;
    private final DataStores stores;
    private final int window;
    private final boolean bothNames;
    private final Runnable removed;

    /** Of the stripes under way, all within the window, those that are gone: k modulo window. */
    private final BitSet gone = new BitSet();

    private ObjectStore store;
    private int next = UNKNOWN;
    private int highestLeft = UNKNOWN;
    private int firstsStarted;
    private int firstsGone;
    private boolean queued;
    private boolean failed;

    /**
     * @param highest called once, before the first operation
     * @param window a stripe's removal starts only when all that are this much higher are gone
     * @param bothNames whether the first stripe may have either name
     * @param removed called when nothing is left
     */
    FileRemoval(
        FileData file,
        DataStores stores,
        Highest highest,
        int window,
        boolean bothNames,
        Runnable removed) {
      this.file = file;
      this.stores = stores;
      this.window = window;
      this.bothNames = bothNames;
      this.removed = removed;
      this.highest = highest;
    }

    private ObjectStore store() throws IOException {
      if (store == null) {
        store = stores.of(file);
      }
      return store;
    }

    private int firsts() {
      return bothNames ? 2 : 1;
    }

    private boolean canStart() {
      if (failed) {
        return false;
      }
      if (next == UNKNOWN) {
        return true;
      }
      return next > 0 ? next > highestLeft - window : highestLeft == 0 && firstsStarted < firsts();
    }

    private Removal startNext() throws IOException {
      if (next == UNKNOWN) {
        int found = highest.in(store());
        next = found;
        highestLeft = found;
      }
      if (next > 0) {
        int stripe = next--;
        return new Removal(this, stripe, file.stripe(stripe), removal(stripe));
      }
      FileData named = firstsStarted == 0 ? file : file.withPlainFirst(!file.plainFirst());
      firstsStarted++;
      return new Removal(this, 0, named.stripe(0), removal(0));
    }

    private WriteOp removal(int stripe) {
      return StripeOwner.guarded(file, stripe).remove().build();
    }

    private void gone(Removal removal) {
      if (removal.stripe > 0) {
        gone.set(removal.stripe % window);
        while (highestLeft > 0 && gone.get(highestLeft % window)) {
          gone.clear(highestLeft-- % window);
        }
      } else if (++firstsGone == firsts()) {
        removed.run();
      }
    }
  }
}
