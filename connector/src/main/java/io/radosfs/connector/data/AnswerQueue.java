// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.Await;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Passes the answers of operations from the threads that bring them to the one that waits, in the
 * order in which they come.
 *
 * <p>A place is made for each answer before its operation starts. So an answer takes no memory when
 * it comes: one that needed some would be lost where the heap is full, and waited for for ever.
 *
 * <p>Places may be filled from any threads. Everything else is for one thread at a time.
 */
final class AnswerQueue<T> {

  private final AtomicReference<Place<T>> latest = new AtomicReference<>();

  /** Those that were taken from {@link #latest}, the earliest first. */
  private Place<T> earliest;

  private volatile Thread waiting;

  /** Where an answer goes; see {@link AnswerQueue#place}. */
  static final class Place<T> {
    private final AnswerQueue<T> queue;
    private final T answer;
    private Place<T> next;

    private Place(AnswerQueue<T> queue, T answer) {
      this.queue = queue;
      this.answer = answer;
    }

    /** The answer has come; called once. */
    void fill() {
      queue.add(this);
    }
  }

  /** Makes a place for the answer of an operation that is about to start. */
  Place<T> place(T answer) {
    return new Place<>(this, answer);
  }

  private void add(Place<T> filled) {
    Place<T> before;
    do {
      before = latest.get();
      filled.next = before;
    } while (!latest.compareAndSet(before, filled));
    LockSupport.unpark(waiting);
  }

  /** Takes the next answer; null if none has come. */
  T poll() {
    if (earliest == null) {
      for (Place<T> place = latest.getAndSet(null); place != null; ) {
        Place<T> before = place.next;
        place.next = earliest;
        earliest = place;
        place = before;
      }
    }
    if (earliest == null) {
      return null;
    }
    T answer = earliest.answer;
    earliest = earliest.next;
    return answer;
  }

  /** Takes the next answer when it comes. An interrupt ends the wait. */
  T take() throws InterruptedIOException {
    waiting = Thread.currentThread();
    try {
      while (true) {
        Await.checkInterrupt("waiting for RADOS");
        T answer = poll();
        if (answer != null) {
          return answer;
        }
        LockSupport.park(this);
      }
    } finally {
      waiting = null;
    }
  }

  /** Shows the answers that have come and were not taken. */
  void forEach(Consumer<T> reader) {
    for (Place<T> place = earliest; place != null; place = place.next) {
      reader.accept(place.answer);
    }
    for (Place<T> place = latest.get(); place != null; place = place.next) {
      reader.accept(place.answer);
    }
  }
}
