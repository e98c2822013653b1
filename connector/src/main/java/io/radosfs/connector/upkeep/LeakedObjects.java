// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Objects that nothing seemed to lead to in an inspection, in their state when they are added. What
 * cannot be read may lead to any of them. It does not stop the search, which may still clear all.
 */
final class LeakedObjects implements Suspects {

  /**
   * An object.
   *
   * @param file that it names as its own, if any
   * @param state a value that differs if anything in an index object does, or the owner of a stripe
   */
  private record Suspect(Finding finding, PoolView pool, Optional<Uid> file, String state) {
    String object() {
      return finding.subject();
    }
  }

  private final PoolView.Pools pools;
  private final Set<Suspect> rest = new LinkedHashSet<>();
  private final Map<Uid, Set<Suspect>> byFile = new HashMap<>();
  private final Map<String, Set<Suspect>> byName = new HashMap<>();
  private final Set<String> unreadable = new LinkedHashSet<>();

  LeakedObjects(PoolView.Pools pools) {
    this.pools = pools;
  }

  /**
   * Adds an object, unless a transaction under way has just made it. Only the object itself shows
   * that, so it is read before anything else. A few reads.
   */
  void add(Finding finding, PoolView pool) throws IOException {
    if (pool.equals(pools.index()) && Reached.isPrepared(pool, finding.subject())) {
      return;
    }
    String object = finding.subject();
    Suspect suspect = new Suspect(finding, pool, Reached.uid(pool, object), state(pool, object));
    rest.add(suspect);
    byName.computeIfAbsent(suspect.object(), any -> new LinkedHashSet<>()).add(suspect);
    suspect
        .file()
        .ifPresent(uid -> byFile.computeIfAbsent(uid, any -> new LinkedHashSet<>()).add(suspect));
  }

  /**
   * Returns the objects that were not cleared and have not changed since. Names of indexes and
   * first stripes are reused, so a changed object may be a new one; and a stripe with another owner
   * is that of a file made of retained data meanwhile, whose line was due since. An object that
   * nothing leads to is changed by no client. A few reads for each.
   */
  Set<Finding> rest() throws IOException {
    Set<Finding> there = new LinkedHashSet<>();
    for (Suspect suspect : rest) {
      PoolView pool = suspect.pool();
      String object = suspect.object();
      if (pool.exists(object)
          && Reached.uid(pool, object).equals(suspect.file())
          && state(pool, object).equals(suspect.state())) {
        there.add(suspect.finding());
      }
    }
    return there;
  }

  /** Every change of an index object sets {@code h.change} anew, and no owner comes twice. */
  private String state(PoolView pool, String object) throws IOException {
    String owner = pool.stripe(object, false).flatMap(StoredStripe::owner).orElse("-");
    return pool.equals(pools.index())
        ? text(pool.value(object, IndexKeys.HEAD))
            + " "
            + text(pool.value(object, IndexKeys.CHANGE))
            + " "
            + owner
        : owner;
  }

  private static String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("-");
  }

  @Override
  public boolean none() {
    return rest.isEmpty();
  }

  @Override
  public boolean inVain() {
    return false;
  }

  /** A copy in another pool is not the file's; an object without uid is known by its name. */
  @Override
  public void file(FileData data) throws IOException {
    PoolView pool = pools.of(data);
    for (Suspect suspect : of(byFile, data.written())) {
      if (suspect.pool().equals(pool)) {
        rest.remove(suspect);
      }
    }
    for (Suspect suspect : of(byName, data.stripe(0))) {
      if (suspect.pool().equals(pool) && suspect.file().isEmpty()) {
        rest.remove(suspect);
      }
    }
  }

  @Override
  public void file(Uid uid) {
    rest.removeAll(of(byFile, uid));
  }

  @Override
  public void object(String name) throws IOException {
    for (Suspect suspect : of(byName, name)) {
      if (suspect.pool().equals(pools.index())) {
        rest.remove(suspect);
      }
    }
  }

  private static <K> Collection<Suspect> of(Map<K, Set<Suspect>> suspects, K key) {
    return suspects.getOrDefault(key, Set.of());
  }

  @Override
  public void unreadable(String subject, IOException why) throws IOException {
    if (!(why instanceof LayoutException)) {
      throw why;
    }
    unreadable.add(subject);
  }

  /** What could not be read, and does not say what it leads to. */
  Set<String> unreadable() {
    return unreadable;
  }
}
