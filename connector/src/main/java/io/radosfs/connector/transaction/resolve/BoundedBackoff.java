// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.retry.Backoff;
import io.radosfs.connector.retry.Pauses;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Backoff while other transactions are pending: growing pauses, within a bound. Only waiting costs
 * time of it: the pauses, and the looks between them. What a call does before it meets a pending
 * transaction, and after that has ended, costs none. Where those that come one after another are
 * progress ({@link #decided}), the bound is that of each, and all together have {@value
 * #MOST_BOUNDS} times as long. Not thread-safe.
 */
public final class BoundedBackoff {

  /** With the default bound of half a minute, ten minutes. */
  static final int MOST_BOUNDS = 20;

  private final Duration bound;
  private final Pauses pauses;
  private final Backoff backoff;
  private long nanosWaited;
  private long nanosForDecided;

  /** Since when the waited time is not counted yet; empty if nothing is waited for. */
  private OptionalLong waitingSince = OptionalLong.empty();

  public BoundedBackoff(Duration bound, Pauses pauses) {
    this.bound = bound;
    this.pauses = pauses;
    this.backoff = new Backoff(pauses);
  }

  /** Whether any time is left. */
  boolean isLeft() {
    return nanosWaited + nanosWaiting() < bound.toNanos() && isLeftOfAll();
  }

  private boolean isLeftOfAll() {
    return nanosForDecided == 0
        || nanosForDecided + nanosWaited + nanosWaiting() < mostForAll().toNanos();
  }

  private Duration mostForAll() {
    return bound.multipliedBy(MOST_BOUNDS);
  }

  private long nanosWaiting() {
    return waitingSince.isEmpty() ? 0 : pauses.nanoTime() - waitingSince.getAsLong();
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
    if (waitingSince.isEmpty()) {
      waitingSince = OptionalLong.of(pauses.nanoTime());
    }
    backoff.pause();
    nanosWaited += nanosWaiting();
    waitingSince = OptionalLong.of(pauses.nanoTime());
    return true;
  }

  /** What was waited for has ended: the last look was not in vain, and the call goes on. */
  public void ended() {
    waitingSince = OptionalLong.empty();
  }

  /** What was waited for is decided for good: whatever comes next is another one's. */
  public void decided() {
    ended();
    nanosForDecided += nanosWaited;
    nanosWaited = 0;
  }

  /** The bound, or the one of all together if that is used up. */
  @Override
  public String toString() {
    return isLeftOfAll()
        ? bound.toMillis() + " ms"
        : mostForAll().toMillis() + " ms, with those before it";
  }
}
