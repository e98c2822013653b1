package io.radosfs.connector.transaction;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Waiting for another's transaction: ever longer pauses, until a bound. Not thread-safe. */
final class Patience {

  private static final long FIRST_PAUSE_MILLIS = 2;
  private static final long LONGEST_PAUSE_MILLIS = 50;

  private final Duration bound;
  private final long started = System.nanoTime();
  private long pause = FIRST_PAUSE_MILLIS;

  Patience(Duration bound) {
    this.bound = bound;
  }

  /** Whether there is any left. */
  boolean isLeft() {
    return System.nanoTime() - started < bound.toNanos();
  }

  /** Pauses; false, at once, when there is none left. */
  boolean pause() throws InterruptedIOException {
    if (!isLeft()) {
      return false;
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for another transaction");
    }
    pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    return true;
  }

  @Override
  public String toString() {
    return bound.toMillis() + " ms";
  }
}
