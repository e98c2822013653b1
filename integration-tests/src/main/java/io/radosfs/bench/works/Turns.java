// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.util.ArrayList;
import java.util.List;

/** The order of those that are measured in turns. */
public final class Turns {

  private Turns() {}

  /** Another goes first in each round. */
  public static <T> List<T> of(List<T> all, int round) {
    List<T> turns = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      turns.add(all.get((i + round) % all.size()));
    }
    return turns;
  }
}
