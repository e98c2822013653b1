package io.radosfs.connector.transaction;

import io.radosfs.connector.retry.Backoff;
import io.radosfs.connector.retry.Pauses;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Waiting for another's transaction: ever longer pauses, until a bound. Not thread-safe. */
final class Patience {

  private final Duration bound;
  private final Pauses pauses;
  private final Backoff backoff;
  private final long started;

  Patience(Duration bound, Pauses pauses) {
    this.bound = bound;
    this.pauses = pauses;
    this.backoff = new Backoff(pauses);
    this.started = pauses.nanoTime();
  }

  /** Whether there is any left. */
  boolean isLeft() {
    return pauses.nanoTime() - started < bound.toNanos();
  }

  /**
   * Pauses; false, at once, when there is none left.
   *
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  boolean pause() throws InterruptedIOException {
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
