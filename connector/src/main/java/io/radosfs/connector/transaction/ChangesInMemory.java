package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
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
  public DataLayout layout(FsPath directory) {
    return changes.containsKey(directory) ? changes.get(directory).layout() : DataLayout.DEFAULT;
  }

  @Override
  public void visit(FsPath directory, int max, Visitor visitor) throws IOException {
    DirectoryChange change = changes.get(directory);
    if (change == null) {
      return;
    }
    List<String> names = new ArrayList<>(names(change));
    for (int from = 0; from < names.size(); from += max) {
      List<String> some = names.subList(from, Math.min(names.size(), from + max));
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
