// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.resolve.Resolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Resolves decided transactions in all directories that they concern. */
public final class TransactionResolution {

  private final Indexes indexes;
  private final StoredChildren children;
  private final Resolver resolver;
  private final DeferredDeletions deferredDeletions;

  public TransactionResolution(
      Indexes indexes, Resolver resolver, DeferredDeletions deferredDeletions) {
    this.indexes = indexes;
    this.children = new StoredChildren(indexes.reader());
    this.resolver = resolver;
    this.deferredDeletions = deferredDeletions;
  }

  /** Runs work on the directories of one level. */
  @FunctionalInterface
  interface Runner {
    void run(List<FsPath> level, DirectoryLoop.Work<FsPath> work) throws IOException;
  }

  /** Resolves level by level, as the runner works on a level, and {@code one} on a directory. */
  void resolve(
      Registration registration,
      Collection<FsPath> directories,
      Runner runner,
      DirectoryLoop.Work<FsPath> one)
      throws IOException {
    SortedMap<Integer, List<FsPath>> levels = new TreeMap<>();
    for (FsPath directory : CommitPlan.withAncestors(directories, registration.coordinator())) {
      levels
          .computeIfAbsent(directory.components().size(), depth -> new ArrayList<>())
          .add(directory);
    }
    levels.put(-1, List.of(registration.coordinator()));
    // From the top down, so that a directory's entry is there before its index is opened.
    for (List<FsPath> level : levels.values()) {
      runner.run(level, one);
    }
  }

  /**
   * Resolves level by level what was prepared for a decided transaction, in all its names.
   *
   * @param status its status record, which is not PENDING
   */
  void resolve(
      Registration registration,
      TransactionStatus status,
      Collection<FsPath> directories,
      Runner runner)
      throws IOException {
    List<String> ids = new ArrayList<>(status.overtaken(registration.id()));
    ids.add(status.prepared(registration.id()));
    resolve(
        registration,
        directories,
        runner,
        directory -> {
          for (String id : ids) {
            resolveOne(id, directory, status.of(id).is(TransactionStatus.State.COMMITTED));
          }
        });
  }

  /** Resolves in one directory. */
  void resolveOne(String id, FsPath directory, boolean committed) throws IOException {
    if (!committed) {
      unlock(id, directory);
    }
    if (resolver.resolve(directory, id, committed)) {
      deferredDeletions.carryOut(directory);
    }
  }

  /** Unlocks the directories below; the directory itself comes last. */
  private void unlock(String id, FsPath directory) throws IOException {
    Optional<IndexHead> head = indexes.reader().keys(directory, List.of()).head();
    if (head.filter(h -> h.isFrozenBy(id)).isPresent()) {
      for (String name : children.directories(directory).keySet()) {
        FsPath below = directory.child(name);
        unlock(id, below);
        resolver.resolve(below, id, false);
      }
    }
  }
}
