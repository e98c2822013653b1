// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import io.radosfs.connector.store.LatencyHistogram;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Quantiles of the operations that ended lately: in the last minute, where somebody reads them at
 * least so often; else since they were read a minute ago or earlier. Whoever reads pays, and not
 * the operations. Thread-safe.
 */
final class RecentTimes {

  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Between two states that are kept. */
  private static final Duration STEP = Duration.ofSeconds(10);

  private record State(long at, long[] counts) {}

  private final LatencyHistogram times;
  private final LongSupplier nanoTime;

  /** From the oldest, with which the present is compared. */
  private final ArrayDeque<State> states = new ArrayDeque<>();

  RecentTimes(LatencyHistogram times, LongSupplier nanoTime) {
    this.times = times;
    this.nanoTime = nanoTime;
    states.add(new State(nanoTime.getAsLong(), times.counts()));
  }

  /**
   * The time that so large a share of the operations did not exceed, in microseconds: at most an
   * eighth more than that. 0 if none has ended.
   *
   * @param share more than 0; 1 for the longest
   */
  long quantile(double share) {
    long[] recent = recent();
    long count = 0;
    for (long each : recent) {
      count += each;
    }
    long rank = Math.max(1, (long) Math.ceil(count * share));
    long below = 0;
    for (int i = 0; i < recent.length; i++) {
      below += recent[i];
      if (count > 0 && below >= rank) {
        return LatencyHistogram.longest(i);
      }
    }
    return 0;
  }

  private synchronized long[] recent() {
    long now = nanoTime.getAsLong();
    long[] counts = times.counts();
    if (now - states.getLast().at() >= STEP.toNanos()) {
      states.add(new State(now, counts));
    }
    State first = states.removeFirst();
    while (!states.isEmpty() && now - states.getFirst().at() >= WINDOW.toNanos()) {
      first = states.removeFirst();
    }
    states.addFirst(first);
    long[] recent = new long[counts.length];
    for (int i = 0; i < counts.length; i++) {
      recent[i] = counts[i] - first.counts()[i];
    }
    return recent;
  }
}
