// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The objects of all pools, and which of them something leads to. */
final class Reached {

  private static final Pattern UID = Pattern.compile("[0-9a-f]{24}");

  private final PoolView index;
  private final PoolView.Pools pools;
  private final Inspection found;
  private final Map<PoolView, Set<String>> reached = new LinkedHashMap<>();
  private final Set<PoolView> unlisted = new HashSet<>();
  private final Set<Uid> unfinished = new HashSet<>();
  private final Map<Finding, PoolView> leaks = new HashMap<>();

  Reached(PoolView.Pools pools, Inspection found) throws IOException {
    this.index = pools.index();
    this.pools = pools;
    this.found = found;
  }

  /** Lists a pool, unless that was done. */
  void list(PoolView pool) throws IOException {
    Set<String> unused = of(pool);
  }

  /** Whether a pool could be listed; if not, that was reported. */
  boolean isListed(PoolView pool) throws IOException {
    list(pool);
    return !unlisted.contains(pool);
  }

  private Set<String> of(PoolView pool) throws IOException {
    Set<String> names = reached.get(pool);
    if (names == null) {
      names = new HashSet<>();
      reached.put(pool, names);
      if (!found.attempt("the objects of pool " + pool.pool(), pool::names)) {
        unlisted.add(pool);
      }
    }
    return names;
  }

  /** Notes that something leads to an object of the index pool; returns whether that is new. */
  boolean add(String object) throws IOException {
    return of(index).add(object);
  }

  /** Whether an object of the index pool was noted. */
  boolean has(String object) throws IOException {
    return of(index).contains(object);
  }

  /** Notes all objects of a file. */
  void add(FileData data) throws IOException {
    PoolView pool = pools.of(data);
    if (isBeyond(pool, data)) {
      unfinished(data.written());
      return;
    }
    Set<String> names = of(pool);
    for (int k = 0; k < data.stripes(); k++) {
      names.add(data.stripe(k));
    }
  }

  /** Notes all objects that carry this uid, however many. */
  void unfinished(Uid file) {
    unfinished.add(file);
  }

  /** Whether a file claims far more objects than its pool has, so that its length is made up. */
  boolean isBeyond(PoolView pool, FileData data) throws IOException {
    return data.stripes() > (isListed(pool) ? pool.names().size() : 0) + PoolInspector.MADE_UP;
  }

  /** How many objects there are. */
  long objects() throws IOException {
    long objects = 0;
    for (PoolView pool : reached.keySet()) {
      objects += unlisted.contains(pool) ? 0 : pool.names().size();
    }
    return objects;
  }

  /** Finds the objects that nothing leads to, unless something could not be read that might. */
  void findLeaks() throws IOException {
    boolean complete = found.unchecked().isEmpty();
    for (PoolView pool : reached.keySet()) {
      if (!unlisted.contains(pool)) {
        leaks(pool, complete);
      }
    }
  }

  private void leaks(PoolView pool, boolean complete) throws IOException {
    Set<String> known = reached.get(pool);
    OtherFileSystems others = new OtherFileSystems(index.pool(), pool.pool());
    pool.names().forEach(others::see);
    boolean[] told = new boolean[1];
    for (String object : new TreeSet<>(pool.names())) {
      if (known.contains(object) || ObjectNames.isDataOf(object)) {
        continue;
      }
      if (!complete) {
        found.unchecked(
            "whether something leads to each object of pool "
                + pool.pool()
                + ", such as '"
                + object
                + "': as not everything could be read");
        return;
      }
      boolean unused;
      if (!others.mayHave(object)) {
        unused = found.attempt("object '" + object + "'", () -> leak(pool, object));
      } else if (!told[0]) {
        unused =
            found.attempt("object '" + object + "'", () -> told[0] = perhaps(pool, object, others));
      }
    }
  }

  /** Tells once for a pool what cannot be found out; returns whether it did. */
  private boolean perhaps(PoolView pool, String object, OtherFileSystems others)
      throws IOException {
    if (!isLedToByNothing(pool, object)) {
      return false;
    }
    found.unchecked(
        "whether objects of pool "
            + pool.pool()
            + " leak, such as '"
            + object
            + "', to which nothing in this file system leads: "
            + others.describe()
            + ". Give each file system a namespace or a pool of its own");
    return true;
  }

  private boolean isLedToByNothing(PoolView pool, String object) throws IOException {
    return !isUnfinished(pool, object) && !isPreparedNow(pool, object) && pool.exists(object);
  }

  private void leak(PoolView pool, String object) throws IOException {
    if (!isLedToByNothing(pool, object)) {
      return;
    }
    Finding leak =
        new Finding(
            Finding.Kind.LEAK, object, "nothing leads to this object of pool " + pool.pool());
    found.findings().add(leak);
    leaks.put(leak, pool);
  }

  /** The leaks found, and the pool of each. */
  Map<Finding, PoolView> leaks() {
    return leaks;
  }

  private boolean isUnfinished(PoolView pool, String object) throws IOException {
    return !unfinished.isEmpty() && uid(pool, object).filter(unfinished::contains).isPresent();
  }

  /** The file that an object belongs to, if any. One read if its name does not say it. */
  static Optional<Uid> uid(PoolView pool, String object) throws IOException {
    Optional<Uid> named = ObjectNames.uidOf(object);
    if (named.isPresent()) {
      return named;
    }
    return pool.stripe(object, false).flatMap(StoredStripe::uid).flatMap(Reached::uid);
  }

  private static Optional<Uid> uid(String stored) {
    return UID.matcher(stored).matches() ? Optional.of(new Uid(stored)) : Optional.empty();
  }

  private boolean isPreparedNow(PoolView pool, String object) throws IOException {
    if (!pool.equals(index) || !isPrepared(index, object)) {
      return false;
    }
    found.note("a directory is being made: " + object);
    return true;
  }

  /**
   * Whether an object of the index pool is the index of a directory that a transaction makes.
   * Resolving the transaction finds it by what the transaction's owner has recorded.
   */
  static boolean isPrepared(PoolView index, String object) throws IOException {
    if (!object.endsWith("/")) {
      return false;
    }
    Map<String, byte[]> marks = new HashMap<>();
    index.omap(
        object,
        (key, value) -> {
          if (key.startsWith(IndexKeys.TRANSACTION_PREFIX)) {
            marks.put(IndexKeys.transactionOf(key), value);
          }
        });
    Visibility visibility = new Visibility(index);
    for (Map.Entry<String, byte[]> mark : marks.entrySet()) {
      if (visibility.status(object, mark.getKey(), mark.getValue()).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
