// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import java.util.List;

/**
 * A query that was answered.
 *
 * @param collecting seconds of these in which the garbage collector worked
 * @param rows the answer, as text
 * @param shuffled by its tasks
 */
public record QueryRun(
    double seconds, double collecting, List<String> rows, ShuffleBytes shuffled) {

  public QueryRun {
    rows = List.copyOf(rows);
  }
}
