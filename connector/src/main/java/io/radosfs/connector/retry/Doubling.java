// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.time.Duration;

/** Times that double, up to a longest one. Not thread-safe. */
public final class Doubling {

  private final Duration longest;
  private Duration next;

  public Doubling(Duration first, Duration longest) {
    this.longest = longest;
    this.next = first;
  }

  public Duration next() {
    Duration now = next;
    Duration twice = next.multipliedBy(2);
    next = twice.compareTo(longest) < 0 ? twice : longest;
    return now;
  }
}
