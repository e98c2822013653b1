// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.placement;

import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.PoolPlacement.Osd;
import io.radosfs.connector.store.PoolPlacement.PlacementGroup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * What the monitors say about a pool's placement groups, asked once for each group in {@value
 * #MINUTES} minutes. So the objects of any number of files cost at most one command for each group
 * of the pool, and one for each OSD. Answers may be out of date by that time, which only makes a
 * read go further.
 *
 * <p>Thread-safe.
 */
final class PlacementCache {

  static final int MINUTES = 10;

  private static final long NANOS = MINUTES * 60L * 1_000_000_000L;

  private final PoolPlacement placement;
  private final String namespace;
  private final LongSupplier nanos;
  private volatile State state;
  private volatile Failure failure;

  /** Everything learnt in one period. */
  private record State(
      long began,
      int groups,
      Map<Integer, List<Integer>> acting,
      Map<Integer, Optional<Osd>> osds) {}

  private record Failure(long at, IOException why) {}

  /**
   * @param nanos the time, as by {@link System#nanoTime}
   */
  PlacementCache(PoolPlacement placement, String namespace, LongSupplier nanos) {
    this.placement = placement;
    this.namespace = namespace;
    this.nanos = nanos;
  }

  /**
   * The OSDs that serve an object, the primary first.
   *
   * @throws IOException if the monitors do not answer, or have failed to in this period
   */
  List<Integer> acting(String object) throws IOException {
    State current = current();
    int group = ObjectHash.placementGroup(namespace, object, current.groups());
    List<Integer> known = current.acting().get(group);
    if (known == null) {
      PlacementGroup told = ask(() -> placement.of(object));
      known = told.acting();
      current.acting().put(told.number(), known);
      if (told.number() != group) {
        state = null; // The pool was split or merged since, and all is to be asked anew.
      }
    }
    return known;
  }

  /**
   * Where an OSD is; empty if the monitors do not know.
   *
   * @throws IOException if the monitors do not answer, or have failed to in this period
   */
  Optional<Osd> osd(int id) throws IOException {
    State current = current();
    Optional<Osd> known = current.osds().get(id);
    if (known == null) {
      known = ask(() -> placement.osd(id));
      current.osds().put(id, known);
    }
    return known;
  }

  private State current() throws IOException {
    State found = state;
    if (found == null || isOver(found.began())) {
      int groups = ask(placement::placementGroups);
      found =
          new State(
              nanos.getAsLong(), groups, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
      state = found;
    }
    return found;
  }

  private boolean isOver(long began) {
    return nanos.getAsLong() - began > NANOS;
  }

  /** Asks the monitors, but not again for each file after they have failed. */
  private <T> T ask(CallableRaisingIOE<T> question) throws IOException {
    Failure before = failure;
    if (before != null && !isOver(before.at())) {
      throw new IOException(before.why().getMessage(), before.why());
    }
    try {
      return question.apply();
    } catch (IOException e) {
      failure = new Failure(nanos.getAsLong(), e);
      throw e;
    }
  }
}
