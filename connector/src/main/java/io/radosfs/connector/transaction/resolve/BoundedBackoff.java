// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.retry.Backoff;
import io.radosfs.connector.retry.Pauses;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Backoff while another transaction is pending: growing pauses, within a bound. Not thread-safe.
 */
public final class BoundedBackoff {

  private final Duration bound;
  private final Pauses pauses;
  private final Backoff backoff;
  private final long started;

  public BoundedBackoff(Duration bound, Pauses pauses) {
    this.bound = bound;
    this.pauses = pauses;
    this.backoff = new Backoff(pauses);
    this.started = pauses.nanoTime();
  }

  /** Whether any time is left. */
  boolean isLeft() {
    return pauses.nanoTime() - started < bound.toNanos();
  }

  /**
   * Pauses. Returns false at once if no time is left.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  public boolean pause() throws InterruptedIOException {
    if (!isLeft()) {
      return false;
    }
    backoff.pause();
    return true;
  }

  @Override
  public String toString() {
    return bound.toMillis() + " ms";
  }
}
