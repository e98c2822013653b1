// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.store.BatchLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a transaction does to the names of one directory, or to some of them.
 *
 * @param add files by name, and directories that are renamed. If the directory has the name
 *     already, the transaction fails, unless {@code remove} has that very entry
 * @param remove entries as they were read, by name. If the name has another entry by then, or none,
 *     the transaction fails. Data of removed files is deleted after the commit, or first retained
 *     for a while ({@link Retention})
 * @param directories directories that must exist in the end, whoever makes them. One whose name is
 *     in {@code remove} too takes the place of that very entry, a file
 * @param layout of the directory itself, if the transaction makes it
 */
public record DirectoryChange(
    Map<String, Entry> add,
    Map<String, Entry> remove,
    Map<String, Entry.OfDirectory> directories,
    DataLayout layout) {

  private static final DirectoryChange NONE =
      new DirectoryChange(Map.of(), Map.of(), Map.of(), DataLayout.DEFAULT);

  public DirectoryChange {
    // Not copied, as there may be thousands. Nobody changes them afterwards.
    add = Collections.unmodifiableMap(add);
    remove = Collections.unmodifiableMap(remove);
    directories = Collections.unmodifiableMap(directories);
  }

  public static DirectoryChange none() {
    return NONE;
  }

  public static DirectoryChange adding(Map<String, Entry> files) {
    return NONE.and(files, Map.of());
  }

  public static DirectoryChange removing(Map<String, Entry> entries) {
    return NONE.and(Map.of(), entries);
  }

  /** These changes, and more changes of files. */
  public DirectoryChange and(Map<String, Entry> added, Map<String, Entry> removed) {
    return new DirectoryChange(both(add, added), both(remove, removed), directories, layout);
  }

  private static Map<String, Entry> both(Map<String, Entry> one, Map<String, Entry> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    Map<String, Entry> both = new HashMap<>(one);
    both.putAll(other);
    return both;
  }

  /** The names concerned, each once. */
  public Collection<String> names() {
    if (remove.isEmpty() && directories.isEmpty()) {
      return add.keySet();
    }
    Set<String> names = new HashSet<>(add.keySet());
    names.addAll(remove.keySet());
    names.addAll(directories.keySet());
    return names;
  }

  /** The names of directories that other transactions may make too. */
  public Set<String> sharedNames() {
    if (remove.isEmpty()) {
      return directories.keySet();
    }
    Set<String> shared = new HashSet<>(directories.keySet());
    shared.removeAll(remove.keySet());
    return shared;
  }

  public boolean isEmpty() {
    return add.isEmpty() && remove.isEmpty() && directories.isEmpty();
  }

  public boolean onlyAdds() {
    return remove.isEmpty();
  }

  /**
   * An upper bound of the bytes that an operation carries for these changes ({@link
   * EntryCodec#mostBytes}).
   */
  public long bytes() {
    return names().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(String name) {
    return bytes(name, add) + bytes(name, remove) + bytes(name, directories);
  }

  private static long bytes(String name, Map<String, ? extends Entry> entries) {
    Entry entry = entries.get(name);
    return entry == null ? 0 : EntryCodec.mostBytes(name, entry);
  }

  /** The same changes in pieces that each fit one operation; each name is in one piece. */
  public List<DirectoryChange> pieces(BatchLimit limit) {
    Collection<String> all = names();
    List<DirectoryChange> pieces = new ArrayList<>();
    for (List<String> some : limit.cut(all, this::bytes)) {
      pieces.add(some.size() == all.size() ? this : only(some));
    }
    return pieces;
  }

  /** The same changes, grouped by the shard that has the names. */
  public SortedMap<IndexObject, DirectoryChange> parts(FsPath directory, Shards shards) {
    SortedMap<IndexObject, DirectoryChange> parts = new TreeMap<>();
    shards.byShard(directory, names()).forEach((shard, some) -> parts.put(shard, only(some)));
    return parts;
  }

  private DirectoryChange only(Collection<String> names) {
    return new DirectoryChange(
        only(add, names), only(remove, names), only(directories, names), layout);
  }

  private static <V> Map<String, V> only(Map<String, V> map, Collection<String> names) {
    Map<String, V> some = new HashMap<>();
    for (String name : names) {
      V value = map.get(name);
      if (value != null) {
        some.put(name, value);
      }
    }
    return some;
  }

  /** The same changes without those of these names. */
  public DirectoryChange without(Set<String> names) {
    Set<String> rest = new HashSet<>(names());
    return rest.removeAll(names) ? only(rest) : this;
  }
}
