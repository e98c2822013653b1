// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long operations took: a count for each range of times, and the sum. A range is at most an
 * eighth of its times wide; the last one has everything beyond half an hour. It only grows.
 *
 * <p>Recording a time adds to two {@link LongAdder}s: no lock, no allocation. Thread-safe.
 */
public final class LatencyHistogram {

  /** Ranges for each power of two; times below so many microseconds have a range each. */
  private static final int RANGES = 8;

  private static final int RANGES_LOG2 = 3;
  private static final int LAST_POWER = 30;
  private static final int SIZE = RANGES + (LAST_POWER - RANGES_LOG2 + 1) * RANGES;

  private final LongAdder[] counts = new LongAdder[SIZE];
  private final LongAdder nanos = new LongAdder();

  public LatencyHistogram() {
    for (int i = 0; i < SIZE; i++) {
      counts[i] = new LongAdder();
    }
  }

  /**
   * Records one time.
   *
   * @param took nanoseconds
   */
  void record(long took) {
    counts[range(TimeUnit.NANOSECONDS.toMicros(took))].increment();
    nanos.add(took);
  }

  /** The number of times in each range, from the shortest. */
  public long[] counts() {
    long[] sums = new long[SIZE];
    for (int i = 0; i < SIZE; i++) {
      sums[i] = counts[i].sum();
    }
    return sums;
  }

  /** The number of all times. */
  public long count() {
    long count = 0;
    for (LongAdder each : counts) {
      count += each.sum();
    }
    return count;
  }

  /** The sum of all times, in microseconds. */
  public long totalMicros() {
    return TimeUnit.NANOSECONDS.toMicros(nanos.sum());
  }

  private static int range(long micros) {
    if (micros < RANGES) {
      return (int) Math.max(0, micros);
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
    if (power > LAST_POWER) {
      return SIZE - 1;
    }
    int within = (int) (micros >>> (power - RANGES_LOG2)) & (RANGES - 1);
    return RANGES + (power - RANGES_LOG2) * RANGES + within;
  }

  /** The longest time of a range, in microseconds. */
  public static long longest(int range) {
    if (range < RANGES) {
      return range;
    }
    int power = (range - RANGES) / RANGES;
    long within = RANGES + (range - RANGES) % RANGES;
    return ((within + 1) << power) - 1;
  }
}
