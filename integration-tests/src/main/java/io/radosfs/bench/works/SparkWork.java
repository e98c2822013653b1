// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.util.function.Supplier;

/**
 * Some work that rados:// and the local disk do in turns.
 *
 * @param roundsAtMost for what takes long
 * @param warmsUp whether a round comes before those that count
 * @param seconds what one side takes for a turn, about
 * @param preparation makes what it needs, such as cached rows
 */
public record SparkWork(
    String name,
    int roundsAtMost,
    boolean warmsUp,
    int seconds,
    Supplier<PreparedWork> preparation) {

  /**
   * How many rounds count.
   *
   * @param wanted of what takes no time
   */
  public int rounds(int wanted) {
    return Math.min(wanted, roundsAtMost);
  }

  /** How long all turns of both sides take, about. */
  public long secondsOfAll(int wanted) {
    return 2L * seconds * (rounds(wanted) + (warmsUp ? 1 : 0));
  }
}
