// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.time.Duration;

/** Times that tests make up. */
public final class RecordedTimes {

  private RecordedTimes() {}

  /** Records the same time so often. */
  public static void record(LatencyHistogram histogram, int times, Duration took) {
    for (int i = 0; i < times; i++) {
      histogram.record(took.toNanos());
    }
  }
}
