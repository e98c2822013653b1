// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Pauses that double, up to a longest one. Not thread-safe. */
public final class Backoff {

  private static final Duration FIRST = Duration.ofMillis(2);
  private static final Duration LONGEST = Duration.ofMillis(50);

  private final Pauses pauses;
  private final Doubling times = new Doubling(FIRST, LONGEST);

  public Backoff(Pauses pauses) {
    this.pauses = pauses;
  }

  /**
   * Pauses.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  public void pause() throws InterruptedIOException {
    pauses.pause(times.next());
  }
}
