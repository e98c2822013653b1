// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes many files at a time: those of one directory by one write to its index, guarded with each
 * entry, then their data. Anything else, and files that cannot be deleted so, are deleted one by
 * one.
 */
final class BulkDeletion {

  private static final Logger LOG = LoggerFactory.getLogger(BulkDeletion.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  /** Names in one operation, which has two guards for each. */
  private static final int MOST_AT_ONCE = 1_000;

  /** How many bytes the keys of a name and a deferred deletion usually take. */
  private static final int KEYS_AND_LISTING = 384;

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final ListedData listedData;
  private final BatchLimit limit;
  private final ConsumerRaisingIOE<FsPath> single;
  private final Map<FsPath, IOException> failures = new LinkedHashMap<>();

  /** The names at hand that are deleted: what has one of them by now is not to be deleted. */
  private final Set<String> deleted = new HashSet<>();

  /** Files that changes with an unknown outcome may have deleted; likewise, if others are there. */
  private final Map<String, Uid> open = new HashMap<>();

  /**
   * The failure of an operation that RADOS did not answer in all its time: nothing is tried since.
   */
  private Optional<IOException> unanswered = Optional.empty();

  private BulkDeletion(
      Indexes indexes,
      FreeNames freeNames,
      ListedData listedData,
      BatchLimit limit,
      ConsumerRaisingIOE<FsPath> single) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.listedData = listedData;
    this.limit = limit;
    this.single = single;
  }

  /**
   * See {@link Namespace#deleteAll}.
   *
   * @param single deletes what is at one path
   */
  static Map<FsPath, IOException> delete(
      Indexes indexes,
      FreeNames freeNames,
      ListedData listedData,
      BatchLimit limit,
      ConsumerRaisingIOE<FsPath> single,
      Collection<FsPath> paths) {
    BulkDeletion deletion = new BulkDeletion(indexes, freeNames, listedData, limit, single);
    deletion.byDirectory(paths).forEach(deletion::deleteIn);
    return deletion.failures;
  }

  /** The paths by directory and name, the deepest first: what is in a directory goes before it. */
  private Map<FsPath, Map<String, FsPath>> byDirectory(Collection<FsPath> paths) {
    Map<FsPath, Map<String, FsPath>> sorted =
        new TreeMap<>(
            Comparator.comparingInt(BulkDeletion::depth).reversed().thenComparing(FsPath::key));
    for (FsPath path : paths) {
      if (path.isRoot()) {
        failures.put(path, new IOException("the root cannot be deleted"));
      } else {
        sorted.computeIfAbsent(path.parent(), any -> new TreeMap<>()).put(path.name(), path);
      }
    }
    return sorted;
  }

  private static int depth(FsPath path) {
    return path.components().size();
  }

  private void deleteIn(FsPath directory, Map<String, FsPath> paths) {
    List<String> names = List.copyOf(paths.keySet());
    for (int from = 0; from < names.size(); from += MOST_AT_ONCE) {
      List<String> some = names.subList(from, Math.min(names.size(), from + MOST_AT_ONCE));
      Collection<String> left = some;
      deleted.clear();
      open.clear();
      if (some.size() > 1 && unanswered.isEmpty()) {
        try {
          left = deleteFiles(directory, some);
        } catch (IOException e) {
          LOG.debug("the other names in {} are deleted one by one instead", directory, e);
          noteIfUnanswered(e);
          open.keySet().forEach(name -> failures.put(paths.get(name), e));
          left = new ArrayList<>(some);
          left.removeAll(deleted);
          left.removeAll(open.keySet());
        }
      }
      for (String name : left) {
        deleteOne(paths.get(name));
      }
    }
  }

  private void deleteOne(FsPath path) {
    try {
      requireAnswers(path);
      single.accept(path);
    } catch (IOException e) {
      noteIfUnanswered(e);
      failures.put(path, e);
    }
  }

  private void noteIfUnanswered(IOException failure) {
    if (unanswered.isEmpty() && Failures.hasWaitedInFull(failure)) {
      unanswered = Optional.of(failure);
    }
  }

  /** Each further path might wait as long again as the one before. */
  private void requireAnswers(FsPath path) throws IOException {
    if (unanswered.isPresent()) {
      throw new IOException(
          path
              + " was left alone, as RADOS did not answer when another path was deleted: "
              + unanswered.get().getMessage(),
          unanswered.get());
    }
  }

  /** Deletes those that are files; returns those that are something else. */
  private Collection<String> deleteFiles(FsPath directory, List<String> names) throws IOException {
    return indexes
        .retries()
        .run(
            "deletion of " + names.size() + " names in directory " + directory,
            () -> tryToDeleteFiles(directory, names));
  }

  /** The same; empty if it must be tried again. */
  private Optional<Collection<String>> tryToDeleteFiles(FsPath directory, List<String> names)
      throws IOException {
    DirectoryView view = freeNames.view(directory, names);
    if (!view.exists()) {
      return Optional.of(List.of());
    }
    if (!view.isOpen()) {
      return Optional.of(names.stream().filter(name -> !open.containsKey(name)).toList());
    }
    if (view.isSharded()) {
      return Optional.of(deleteInShards(directory, names, view.head().orElseThrow().shards()));
    }
    IndexChange change = IndexChange.of(view).seen(view).transactional();
    List<String> others = new ArrayList<>();
    List<FileData> data = new ArrayList<>();
    Map<String, Uid> files = new HashMap<>();
    List<List<String>> batches = limit.cut(names, name -> bytes(view, name));
    for (String name : batches.get(0)) {
      Optional<Entry> entry = view.entry(name);
      if (open.containsKey(name) && entry.filter(e -> e.uid().equals(open.get(name))).isEmpty()) {
        continue; // it is gone, as was wanted; what is there now was made since
      }
      if (entry.isPresent() && entry.get() instanceof Entry.OfFile file) {
        files.put(name, file.uid());
        change
            .expectFree(name, view.storedEntry(name))
            .remove(IndexKeys.entry(name))
            .defer(DeferredDeletion.of(directory.child(name), file));
        data.add(file.data());
      } else if (entry.isPresent()) {
        others.add(name);
      }
    }
    if (!data.isEmpty() && !isMade(change, files)) {
      return Optional.empty();
    }
    deleted.addAll(batches.get(0));
    others.forEach(deleted::remove);
    open.keySet().removeAll(batches.get(0));
    deleteQuietly(change, data);
    for (List<String> more : batches.subList(1, batches.size())) {
      others.addAll(deleteFiles(directory, more));
    }
    return Optional.of(others);
  }

  /** Makes a change that deletes files; notes them if the outcome is unknown. */
  private boolean isMade(IndexChange change, Map<String, Uid> files) throws IOException {
    Map<String, Uid> before = Map.copyOf(open);
    open.putAll(files);
    boolean known = false;
    try {
      boolean made = indexes.writer().applyOrLookAgain(change);
      known = true;
      return made;
    } catch (IOException e) {
      known = !new FailedWrite(e).mayHaveTakenEffect();
      throw e;
    } finally {
      if (known) {
        open.keySet().retainAll(before.keySet());
      }
    }
  }

  /** About how many bytes an operation carries to delete a file: guards and deferred deletion. */
  private static long bytes(DirectoryView view, String name) {
    return KEYS_AND_LISTING + view.storedEntry(name).map(stored -> stored.length).orElse(0);
  }

  /** The same by one write for each shard that has some of the names. */
  private Collection<String> deleteInShards(FsPath directory, List<String> names, Shards shards)
      throws IOException {
    List<String> others = new ArrayList<>();
    for (List<String> some : shards.byShard(directory, names).values()) {
      others.addAll(deleteFiles(directory, some));
    }
    return others;
  }

  /** Deletes the data of deleted files; what fails now stays listed in the directory. */
  private void deleteQuietly(IndexChange made, List<FileData> data) {
    if (data.isEmpty()) {
      return;
    }
    FOLLOW_UP.quietly(
        data.size() + " files in " + made.index().directory() + " are deleted",
        "objects of them that are still there are removed by the next change there, or radosfs gc",
        () -> listedData.delete(made, data));
  }
}
