package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
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
 * The changes of a commit by directory, with the directories below the deciding one that lead to
 * them.
 *
 * @param decider the deciding directory
 * @param changes of every directory concerned, the decider among them
 */
record CommitPlan(FsPath decider, Map<FsPath, NameChanges> changes) {

  /**
   * Lays out a commit. A directory that is made on the way to others gets the layout of one of
   * those: the same ancestor has given it to them.
   *
   * @param removed whole directories, as their parents hold them
   * @param attributes of directories to be made
   */
  static CommitPlan of(
      FsPath decider,
      Map<FsPath, DirectoryChange> requested,
      Map<FsPath, Entry> removed,
      Attributes attributes) {
    Map<FsPath, Map<String, Entry.OfDirectory>> made = new HashMap<>();
    Map<FsPath, DirectoryChange> all = new HashMap<>(requested);
    all.putIfAbsent(decider, DirectoryChange.adding(Map.of()));
    removed.forEach(
        (path, entry) -> {
          SortedMap<String, Entry> one = new TreeMap<>(Map.of(path.name(), entry));
          all.merge(
              path.parent(),
              new DirectoryChange(new TreeMap<>(), one),
              (there, more) -> {
                there.remove().putAll(more.remove());
                return there;
              });
        });
    for (FsPath directory : List.copyOf(all.keySet())) {
      if (isElsewhere(directory, decider)) {
        continue;
      }
      DataLayout layout = all.get(directory).layout();
      for (FsPath below = directory; !below.equals(decider); below = below.parent()) {
        DataLayout own = all.get(below).layout();
        made.computeIfAbsent(below.parent(), parent -> new HashMap<>())
            .computeIfAbsent(
                below.name(), n -> new Entry.OfDirectory(Uid.random(), attributes, own));
        all.putIfAbsent(
            below.parent(), new DirectoryChange(new TreeMap<>(), new TreeMap<>(), layout));
      }
    }
    Map<FsPath, NameChanges> changes = new HashMap<>();
    all.forEach(
        (directory, change) ->
            changes.put(directory, NameChanges.of(change, made.getOrDefault(directory, Map.of()))));
    return new CommitPlan(decider, changes);
  }

  /** Whether a directory is neither the deciding one nor below it. */
  static boolean isElsewhere(FsPath directory, FsPath decider) {
    return !directory.isAtOrBelow(decider);
  }

  /** The directories concerned that are neither the deciding one nor below it. */
  Set<FsPath> elsewhere() {
    Set<FsPath> elsewhere = new TreeSet<>(changes.keySet());
    elsewhere.removeIf(directory -> !isElsewhere(directory, decider));
    return elsewhere;
  }

  /** What the decision itself changes. */
  NameChanges atDecision() {
    return changes.get(decider);
  }

  /** The other directories, in groups of one depth, the deepest first. */
  Collection<List<FsPath>> deepestFirst() {
    SortedMap<Integer, List<FsPath>> byDepth = new TreeMap<>(Comparator.reverseOrder());
    for (FsPath directory : new TreeSet<>(changes.keySet())) {
      if (!directory.equals(decider)) {
        byDepth
            .computeIfAbsent(directory.components().size(), depth -> new ArrayList<>())
            .add(directory);
      }
    }
    return byDepth.values();
  }

  /**
   * Directories and those above them in which a transaction may have staged something: below the
   * deciding one, which is left out, all of them; elsewhere those that hold the directories.
   */
  static Set<FsPath> withAncestors(Collection<FsPath> directories, FsPath decider) {
    Set<FsPath> all = new TreeSet<>();
    for (FsPath directory : directories) {
      if (isElsewhere(directory, decider)) {
        all.add(directory);
        if (!directory.isRoot() && !directory.parent().equals(decider)) {
          all.add(directory.parent());
        }
        continue;
      }
      for (FsPath path = directory; !path.equals(decider); path = path.parent()) {
        all.add(path);
      }
    }
    return all;
  }
}
