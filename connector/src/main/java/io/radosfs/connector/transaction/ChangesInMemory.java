// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Changes that are held as objects. */
record ChangesInMemory(Map<FsPath, DirectoryChange> changes) implements TransactionChanges {

  @Override
  public Set<FsPath> directories() {
    return changes.keySet();
  }

  @Override
  public int size(FsPath directory) {
    return changes.containsKey(directory) ? names(changes.get(directory)).size() : 0;
  }

  @Override
  public long bytes(FsPath directory) {
    DirectoryChange change = changes.get(directory);
    return change == null ? 0 : names(change).stream().mapToLong(name -> bytes(change, name)).sum();
  }

  private static long bytes(DirectoryChange change, String name) {
    return bytes(change.add(), name) + bytes(change.remove(), name);
  }

  private static long bytes(SortedMap<String, Entry> entries, String name) {
    Entry entry = entries.get(name);
    return entry == null ? 0 : EntryCodec.mostBytes(name, entry);
  }

  @Override
  public DataLayout layout(FsPath directory) {
    return changes.containsKey(directory) ? changes.get(directory).layout() : DataLayout.DEFAULT;
  }

  @Override
  public void visit(FsPath directory, BatchLimit limit, Visitor visitor) throws IOException {
    DirectoryChange change = changes.get(directory);
    if (change == null) {
      return;
    }
    for (List<String> some : limit.cut(names(change), name -> bytes(change, name))) {
      visitor.visit(
          new DirectoryChange(of(change.add(), some), of(change.remove(), some), change.layout()));
    }
  }

  private static SortedSet<String> names(DirectoryChange change) {
    SortedSet<String> names = new TreeSet<>(change.add().keySet());
    names.addAll(change.remove().keySet());
    return names;
  }

  private static <V> SortedMap<String, V> of(SortedMap<String, V> all, List<String> names) {
    SortedMap<String, V> some = new TreeMap<>();
    for (String name : names) {
      V value = all.get(name);
      if (value != null) {
        some.put(name, value);
      }
    }
    return some;
  }
}
