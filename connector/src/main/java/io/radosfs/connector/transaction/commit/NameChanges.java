// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * What a transaction does to the names of one directory.
 *
 * @param add files
 * @param remove entries as they were seen
 * @param directories directories that must be there in the end, whoever makes them
 * @param layout of the directory itself, if the transaction makes its index
 */
public record NameChanges(
    Map<String, Entry> add,
    Map<String, Entry> remove,
    Map<String, Entry.OfDirectory> directories,
    DataLayout layout) {

  /**
   * From so many names on, a change is first guarded with nobody having changed the directory at
   * all, rather than with each name: two guards a name take an OSD as long as the change itself.
   */
  static final int MANY = 64;

  public NameChanges {
    // Not copied, as there may be thousands: nobody changes them after.
    add = Collections.unmodifiableMap(add);
    remove = Collections.unmodifiableMap(remove);
    directories = Collections.unmodifiableMap(directories);
  }

  static NameChanges none() {
    return new NameChanges(Map.of(), Map.of(), Map.of(), DataLayout.DEFAULT);
  }

  /** The removal of one entry, as it was seen. */
  public static NameChanges removing(String name, Entry entry) {
    return new NameChanges(Map.of(), Map.of(name, entry), Map.of(), DataLayout.DEFAULT);
  }

  /** The same changes, in pieces that each fit one operation. */
  List<NameChanges> batches(BatchLimit limit) {
    Collection<String> all = names();
    List<NameChanges> batches = new ArrayList<>();
    for (List<String> some : limit.cut(all, this::bytes)) {
      batches.add(some.size() == all.size() ? this : only(some));
    }
    return batches;
  }

  /** An upper bound of what an operation carries for these changes. */
  long bytes() {
    return names().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(String name) {
    return bytes(name, add) + bytes(name, remove) + bytes(name, directories);
  }

  private static long bytes(String name, Map<String, ? extends Entry> entries) {
    Entry entry = entries.get(name);
    return entry == null ? 0 : EntryCodec.mostBytes(name, entry);
  }

  /** The same changes, by the shard that has the names. */
  SortedMap<IndexObject, NameChanges> parts(FsPath directory, Shards shards) {
    SortedMap<IndexObject, NameChanges> parts = new TreeMap<>();
    shards.byShard(directory, names()).forEach((shard, some) -> parts.put(shard, only(some)));
    return parts;
  }

  private NameChanges only(Collection<String> names) {
    return new NameChanges(only(add, names), only(remove, names), only(directories, names), layout);
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

  /** These changes and more, of files. */
  NameChanges and(Map<String, Entry> added, Map<String, Entry> removed) {
    return new NameChanges(both(add, added), both(remove, removed), directories, layout);
  }

  private static Map<String, Entry> both(Map<String, Entry> one, Map<String, Entry> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    Map<String, Entry> both = new HashMap<>(one);
    both.putAll(other);
    return both;
  }

  boolean areMany() {
    return add.size() + remove.size() + directories.size() > MANY;
  }

  /** What is added: files, and directories. */
  List<Map<String, ? extends Entry>> additions() {
    return List.of(add, directories);
  }

  Collection<String> names() {
    if (remove.isEmpty() && directories.isEmpty()) {
      return add.keySet();
    }
    Set<String> names = new HashSet<>(add.keySet());
    names.addAll(remove.keySet());
    names.addAll(directories.keySet());
    return names;
  }

  boolean onlyAdds() {
    return remove.isEmpty();
  }

  boolean isEmpty() {
    return add.isEmpty() && remove.isEmpty() && directories.isEmpty();
  }

  NameChanges without(Set<String> names) {
    if (names.isEmpty()) {
      return this;
    }
    return new NameChanges(
        except(add, names), except(remove, names), except(directories, names), layout);
  }

  private static <V> Map<String, V> except(Map<String, V> map, Set<String> names) {
    Map<String, V> rest = new HashMap<>(map);
    rest.keySet().removeAll(names);
    return rest;
  }

  /** The intents that a transaction prepares for these changes. */
  Map<String, WriteIntent> intents(String transaction) {
    Map<String, WriteIntent> intents = new HashMap<>();
    directories.forEach(
        (name, directory) -> intents.put(name, WriteIntent.makeDirectory(transaction, directory)));
    remove.forEach(
        (name, entry) -> intents.put(name, WriteIntent.remove(transaction, entry.uid())));
    add.forEach(
        (name, entry) ->
            intents.put(
                name,
                remove.containsKey(name)
                    ? WriteIntent.replace(transaction, remove.get(name).uid(), entry)
                    : WriteIntent.add(transaction, entry)));
    return intents;
  }

  /** Fails unless the directory still is as the changes suppose. */
  void check(DirectoryView view) throws IOException {
    for (Map.Entry<String, Entry> removed : remove.entrySet()) {
      Optional<Entry> there = view.entry(removed.getKey());
      if (there.isEmpty() || !there.get().uid().equals(removed.getValue().uid())) {
        throw changed(view.directory().child(removed.getKey()));
      }
    }
    for (String name : add.keySet()) {
      if (view.storedEntry(name).isPresent() && !remove.containsKey(name)) {
        throw new FileAlreadyExistsException(view.directory().child(name) + " already exists");
      }
    }
    for (String name : directories.keySet()) {
      Optional<Entry> there = view.entry(name);
      if (there.isPresent() && !(there.get() instanceof Entry.OfDirectory)) {
        throw new FileAlreadyExistsException(
            view.directory().child(name) + " is a file, not a directory");
      }
    }
  }

  /** Guards a change with the names being as in the view. */
  void expectNames(IndexChange change, DirectoryView view) {
    for (String name : names()) {
      change
          .expect(IndexKeys.intent(name), view.value(IndexKeys.intent(name)))
          .expect(IndexKeys.entry(name), view.storedEntry(name));
    }
  }

  /**
   * Adds these changes to one of the index object that the view is of, without intents before, and
   * without guards on the names.
   */
  void applyAtOnce(IndexChange change, DirectoryView view, String id, Retention retention)
      throws IOException {
    for (Map.Entry<String, WriteIntent> entry : intents(id).entrySet()) {
      String name = entry.getKey();
      String key = IndexKeys.entry(name);
      FsPath path = view.directory().child(name);
      WriteIntent intent = entry.getValue();
      Optional<Entry> there = view.entry(name);
      switch (intent.kind()) {
        case ADD -> change.set(key, intent.storedEntry(path));
        case REPLACE -> {
          defer(change, retention.replaced(path, there.orElseThrow()));
          change.set(key, intent.storedEntry(path));
        }
        case REMOVE -> {
          defer(change, retention.replaced(path, there.orElseThrow()));
          change.remove(key);
        }
        case MOVE_AWAY -> change.remove(key);
        case MAKE_DIRECTORY -> {
          if (there.isEmpty()) {
            Entry made =
                view.intent(name).flatMap(WriteIntent::entry).orElse(intent.entry().orElseThrow());
            change.set(key, EntryCodec.encode(path, made));
          }
        }
      }
    }
  }

  private static void defer(IndexChange change, DeferredDeletion replaced) {
    change.set(IndexKeys.deferredDeletion(replaced.uid()), replaced.encode());
  }

  public static PathIOException changed(FsPath path) {
    return new PathIOException(
        path.toString(), "was removed or replaced by others since it was looked at; try again");
  }
}
