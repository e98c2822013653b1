// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.TransactionChanges.Visitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a commit changes in each directory: the files that it is asked to change, the directories
 * that are removed whole, and those that are made below the coordinator on the way to others.
 */
final class CommitPlan {

  private final FsPath coordinator;
  private final TransactionChanges files;
  private final BatchLimit limit;

  /** For each directory concerned, the coordinator included: the changes other than files. */
  private final Map<FsPath, DirectoryChange> directories;

  private CommitPlan(
      FsPath coordinator,
      TransactionChanges files,
      Map<FsPath, DirectoryChange> directories,
      BatchLimit limit) {
    this.coordinator = coordinator;
    this.files = files;
    this.limit = limit;
    this.directories = directories;
  }

  /**
   * Plans a commit. A directory that is made on the way to others gets the layout of one of them:
   * they all have it from the same ancestor.
   *
   * @param removed the directories to remove whole, with their entries
   * @param attributes of directories to be made
   * @param limit of an operation
   * @throws IllegalArgumentException if a directory is removed whole, and one below it is changed
   */
  static CommitPlan of(
      FsPath coordinator,
      TransactionChanges files,
      Map<FsPath, Entry> removed,
      Attributes attributes,
      BatchLimit limit) {
    Map<FsPath, DataLayout> layouts = new HashMap<>();
    files.directories().forEach(directory -> layouts.put(directory, files.layout(directory)));
    layouts.putIfAbsent(coordinator, DataLayout.DEFAULT);
    Map<FsPath, Map<String, Entry>> removals = new HashMap<>();
    removed.forEach(
        (path, entry) -> {
          layouts.putIfAbsent(path.parent(), DataLayout.DEFAULT);
          removals.computeIfAbsent(path.parent(), any -> new HashMap<>()).put(path.name(), entry);
        });
    Map<FsPath, Map<String, Entry.OfDirectory>> made = new HashMap<>();
    for (FsPath directory : List.copyOf(layouts.keySet())) {
      if (isElsewhere(directory, coordinator)) {
        continue;
      }
      DataLayout layout = layouts.get(directory);
      for (FsPath below = directory; !below.equals(coordinator); below = below.parent()) {
        DataLayout own = layouts.get(below);
        made.computeIfAbsent(below.parent(), parent -> new HashMap<>())
            .computeIfAbsent(
                below.name(), n -> new Entry.OfDirectory(Uid.random(), attributes, own));
        layouts.putIfAbsent(below.parent(), layout);
      }
    }
    for (FsPath path : removed.keySet()) {
      if (layouts.containsKey(path)) {
        throw new IllegalArgumentException(path + " cannot be removed whole, and changed as well");
      }
    }
    Map<FsPath, DirectoryChange> directories = new HashMap<>();
    layouts.forEach(
        (directory, layout) ->
            directories.put(
                directory,
                new DirectoryChange(
                    Map.of(),
                    removals.getOrDefault(directory, Map.of()),
                    made.getOrDefault(directory, Map.of()),
                    layout)));
    return new CommitPlan(coordinator, files, directories, limit);
  }

  /** Whether a directory is neither the coordinator nor below it. */
  static boolean isElsewhere(FsPath directory, FsPath coordinator) {
    return !directory.isAtOrBelow(coordinator);
  }

  /** The directories concerned that are neither the coordinator nor below it. */
  Set<FsPath> elsewhere() {
    Set<FsPath> elsewhere = new TreeSet<>(directories.keySet());
    elsewhere.removeIf(directory -> !isElsewhere(directory, coordinator));
    return elsewhere;
  }

  /** Whether the changes of a directory fit one operation. */
  boolean fitsOneOperation(FsPath directory) {
    return limit.allows(size(directory), files.bytes(directory) + beside(directory).bytes());
  }

  private DirectoryChange beside(FsPath directory) {
    return directories.getOrDefault(directory, DirectoryChange.none());
  }

  /** The maximum number of names that are changed in a directory. */
  int size(FsPath directory) {
    DirectoryChange beside = beside(directory);
    return files.size(directory) + beside.remove().size() + beside.directories().size();
  }

  /** All changes of a directory, which must fit one operation. */
  DirectoryChange whole(FsPath directory) throws IOException {
    DirectoryChange[] whole = {beside(directory)};
    files.visit(directory, limit, piece -> whole[0] = whole[0].and(piece.add(), piece.remove()));
    return whole[0];
  }

  /** Visits the changes of a directory in batches that each fit one operation. */
  void inBatches(FsPath directory, Visitor work) throws IOException {
    if (fitsOneOperation(directory)) {
      work.visit(whole(directory));
      return;
    }
    DirectoryChange beside = directories.get(directory);
    Map<String, Entry> removed = new HashMap<>(beside.remove());
    Map<String, Entry.OfDirectory> made = new HashMap<>(beside.directories());
    files.visit(
        directory,
        limit,
        piece -> {
          // A file may take the place of a directory that is removed.
          Map<String, Entry> replaced = new HashMap<>(piece.remove());
          Set.copyOf(removed.keySet()).stream()
              .filter(piece.add()::containsKey)
              .forEach(name -> replaced.put(name, removed.remove(name)));
          // And a directory that of a file.
          Map<String, Entry.OfDirectory> replacing = new HashMap<>();
          Set.copyOf(made.keySet()).stream()
              .filter(piece.remove()::containsKey)
              .forEach(name -> replacing.put(name, made.remove(name)));
          work.visit(new DirectoryChange(piece.add(), replaced, replacing, beside.layout()));
        });
    DirectoryChange rest = new DirectoryChange(Map.of(), removed, made, beside.layout());
    if (!rest.isEmpty()) {
      for (DirectoryChange batch : rest.pieces(limit)) {
        work.visit(batch);
      }
    }
  }

  /** The directories other than the coordinator, in groups of one depth, the deepest first. */
  Collection<List<FsPath>> deepestFirst() {
    SortedMap<Integer, List<FsPath>> byDepth = new TreeMap<>(Comparator.reverseOrder());
    for (FsPath directory : new TreeSet<>(directories.keySet())) {
      if (!directory.equals(coordinator)) {
        byDepth
            .computeIfAbsent(directory.components().size(), depth -> new ArrayList<>())
            .add(directory);
      }
    }
    return byDepth.values();
  }

  /**
   * Directories, and those above them in which a transaction may have prepared something: below the
   * coordinator, itself left out, all of them; elsewhere only the parents.
   */
  static Set<FsPath> withAncestors(Collection<FsPath> directories, FsPath coordinator) {
    Set<FsPath> all = new TreeSet<>();
    for (FsPath directory : directories) {
      if (isElsewhere(directory, coordinator)) {
        all.add(directory);
        if (!directory.isRoot() && !directory.parent().equals(coordinator)) {
          all.add(directory.parent());
        }
        continue;
      }
      for (FsPath path = directory; !path.equals(coordinator); path = path.parent()) {
        all.add(path);
      }
    }
    return all;
  }
}
