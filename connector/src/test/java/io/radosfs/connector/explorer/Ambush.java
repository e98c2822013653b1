// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.store.simulation.Chooser;
import io.radosfs.connector.store.simulation.OpInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * An order in which clients meet: now and then one is held at a write until another client has
 * written to the same object, for a while, so that what it had read is no longer so.
 */
final class Ambush implements Chooser {

  private static final int LONGEST = 80;

  private final SplittableRandom random;
  private final Chooser rest;
  private final double holding;

  /** Until which turn a client is held. */
  private final Map<String, Integer> held = new HashMap<>();

  /** The operations that were looked at. */
  private final Set<OpInfo> seen = new HashSet<>();

  private int turn;

  Ambush(long seed) {
    random = new SplittableRandom(seed);
    rest = Chooser.random(random.nextLong());
    holding = new double[] {0, 0.1, 0.3, 0.6}[random.nextInt(4)];
  }

  @Override
  public String choose(List<OpInfo> pending, String current) {
    turn++;
    for (OpInfo op : pending) {
      if (op.write() && seen.add(op) && random.nextDouble() < holding) {
        held.put(op.client(), turn + LONGEST);
      }
    }
    held.values().removeIf(until -> until < turn);
    List<OpInfo> free = pending.stream().filter(op -> !held.containsKey(op.client())).toList();
    String chosen = rest.choose(free.isEmpty() ? pending : free, current);
    pending.stream().filter(op -> op.client().equals(chosen)).forEach(op -> release(op, pending));
    return chosen;
  }

  /** Whoever is held at an object that this one writes goes on behind it. */
  private void release(OpInfo op, List<OpInfo> pending) {
    held.remove(op.client());
    if (op.write()) {
      pending.stream()
          .filter(other -> other.isOfSameObject(op))
          .forEach(other -> held.remove(other.client()));
    }
  }
}
