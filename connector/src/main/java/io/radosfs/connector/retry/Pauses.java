// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The clock of everything that waits for other clients: it tells the time, and it waits. A
 * simulation has one of its own, which does not really wait.
 *
 * <p>Thread-safe.
 */
public interface Pauses {

  /** Nanoseconds since some instant; never goes back. */
  long nanoTime();

  /**
   * Waits for a random time between half of the given time and all of it, so that clients that
   * collided do not collide again.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
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
