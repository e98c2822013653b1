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

/**
 * What the monitors have told of a pool's placement groups, each asked for once in {@value
 * #MINUTES} minutes. So the objects of any number of files cost at most as many commands as the
 * pool has groups, and one for each OSD. What is told may be out of date by as much, which makes a
 * read go further and nothing else.
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

  /** All that was learnt in one period. */
  private record State(
      long began,
      int groups,
      Map<Integer, List<Integer>> acting,
      Map<Integer, Optional<Osd>> osds) {}

  private record Failure(long at, IOException why) {}

  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException;
  }

  /**
   * @param nanos the time, as {@link System#nanoTime} has it
   */
  PlacementCache(PoolPlacement placement, String namespace, LongSupplier nanos) {
    this.placement = placement;
    this.namespace = namespace;
    this.nanos = nanos;
  }

  /**
   * The OSDs that serve an object, the primary first.
   *
   * @throws IOException when the monitors do not tell, or did not tell anything in this period
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
   * Where an OSD is; empty when nobody knows.
   *
   * @throws IOException as above
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

  /** One that did not answer is not asked again for each file. */
  private <T> T ask(Question<T> question) throws IOException {
    Failure before = failure;
    if (before != null && !isOver(before.at())) {
      throw new IOException(before.why().getMessage(), before.why());
    }
    try {
      return question.ask();
    } catch (IOException e) {
      failure = new Failure(nanos.getAsLong(), e);
      throw e;
    }
  }
}
