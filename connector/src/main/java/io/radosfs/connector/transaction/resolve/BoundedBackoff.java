// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.retry.Backoff;
import io.radosfs.connector.retry.Pauses;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Backoff while another transaction is pending: growing pauses, within a bound. The time begins
 * with the first look at it, so that what a call does before it meets another costs none of it. Not
 * thread-safe.
 */
public final class BoundedBackoff {

  private final Duration bound;
  private final Pauses pauses;
  private final Backoff backoff;
  private OptionalLong started = OptionalLong.empty();

  public BoundedBackoff(Duration bound, Pauses pauses) {
    this.bound = bound;
    this.pauses = pauses;
    this.backoff = new Backoff(pauses);
  }

  /** Whether any time is left. */
  boolean isLeft() {
    long now = pauses.nanoTime();
    if (started.isEmpty()) {
      started = OptionalLong.of(now);
    }
    return now - started.getAsLong() < bound.toNanos();
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
