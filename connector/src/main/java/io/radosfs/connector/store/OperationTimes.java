// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many operations are under way, and how long those took that have ended: from sending to the
 * answer, or to the failure. May be shared by stores.
 *
 * <p>An operation costs two looks at the clock and four additions to {@link LongAdder}s. No lock,
 * no allocation. Thread-safe.
 */
public final class OperationTimes {

  private final LongAdder inFlight = new LongAdder();
  private final Map<OperationKind, LatencyHistogram> ended = new EnumMap<>(OperationKind.class);

  public OperationTimes() {
    for (OperationKind kind : OperationKind.values()) {
      ended.put(kind, new LatencyHistogram());
    }
  }

  /**
   * An operation is sent.
   *
   * @return what {@link #end} needs
   */
  long begin() {
    inFlight.increment();
    return System.nanoTime();
  }

  /** An operation that was sent has been answered, or has failed. */
  void end(OperationKind kind, long begun) {
    inFlight.decrement();
    ended.get(kind).record(System.nanoTime() - begun);
  }

  /** Operations that are sent and not yet answered. */
  public long inFlight() {
    return Math.max(0, inFlight.sum());
  }

  /** The times of those that have ended. */
  public LatencyHistogram of(OperationKind kind) {
    return ended.get(kind);
  }
}
