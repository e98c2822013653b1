// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** How fast counters grow, seen from one look at them to the next. */
final class Rate {

  private static final double NANOS = 1e9;

  private record Sample(long nanos, long[] values) {}

  private final long window;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * @param window nanoseconds over which growth is averaged at least, if there are looks as old as
   *     that; 0 for the time since the last look
   */
  Rate(long window) {
    this.window = window;
  }

  /**
   * Notes the counters, and returns what each grows by in a second. Empty at the first look. One
   * that has shrunk grows by 0.
   *
   * @param nanos {@link System#nanoTime}
   */
  Optional<double[]> look(long nanos, long... counters) {
    samples.addLast(new Sample(nanos, counters.clone()));
    Sample first = samples.removeFirst();
    while (samples.size() > 1 && nanos - samples.getFirst().nanos() >= window) {
      first = samples.removeFirst();
    }
    samples.addFirst(first);
    long passed = nanos - first.nanos();
    if (passed <= 0) {
      return Optional.empty();
    }
    double[] rates = new double[counters.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = Math.max(0, counters[i] - first.values()[i]) * NANOS / passed;
    }
    return Optional.of(rates);
  }
}
