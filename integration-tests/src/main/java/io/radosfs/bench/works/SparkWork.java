// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Some work that rados:// and the local disk do in turns.
 *
 * @param roundsOf how many rounds count, by how many are wanted: fewer of what takes long, and more
 *     of what is over in an instant
 * @param warmsUp whether a round comes before those that count
 * @param seconds what one side takes for a turn, about
 * @param preparation makes what it needs, such as cached rows
 */
public record SparkWork(
    String name,
    IntUnaryOperator roundsOf,
    boolean warmsUp,
    int seconds,
    Supplier<PreparedWork> preparation) {

  /**
   * How many rounds count.
   *
   * @param wanted of what takes some seconds
   */
  public int rounds(int wanted) {
    return roundsOf.applyAsInt(wanted);
  }

  /** How long all turns of both sides take, about. */
  public long secondsOfAll(int wanted) {
    return 2L * seconds * (rounds(wanted) + (warmsUp ? 1 : 0));
  }
}
