// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.workbench.Counters;
import java.util.Map;

/**
 * What came of an order.
 *
 * @param done how many tasks, files or writes
 * @param seconds from the first to the last of them
 * @param counters the process's own of RADOS operations, by name, of all that the order needed
 */
public record WorkerAnswer(long done, double seconds, Map<String, Long> counters) {

  static WorkerAnswer of(long done, long nanos, Counters counters) {
    return new WorkerAnswer(done, nanos / 1e9, counters.byName());
  }

  /** How many a second. */
  public double rate() {
    return done / seconds;
  }
}
