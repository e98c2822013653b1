// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The clock of everything that waits for others: how long it has waited, and the waiting itself. A
 * simulation has one of its own, in which nobody really waits.
 *
 * <p>Thread-safe.
 */
public interface Pauses {

  /** Nanoseconds since some instant; never goes back. */
  long nanoTime();

  /**
   * Waits for a while, drawn between half of the time and all of it, so that those that were in
   * each other's way do not meet again.
   *
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  void pause(Duration longest) throws InterruptedIOException;

  /** The machine's clock. */
  static Pauses real() {
    return new Pauses() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void pause(Duration longest) throws InterruptedIOException {
        long nanos = longest.toNanos();
        try {
          TimeUnit.NANOSECONDS.sleep(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          InterruptedIOException thrown =
              new InterruptedIOException("interrupted while waiting for others");
          thrown.initCause(e);
          throw thrown;
        }
      }
    };
  }
}
