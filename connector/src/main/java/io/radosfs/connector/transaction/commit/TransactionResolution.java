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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves decided transactions in all directories that they concern. */
public final class TransactionResolution {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionResolution.class);

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

  /** Resolves in a directory what was prepared by one id. */
  @FunctionalInterface
  interface ById {
    void resolve(String id, boolean committed) throws IOException;
  }

  /** Resolves a transaction in one directory, whatever ids it was prepared by. */
  @FunctionalInterface
  interface InDirectory {
    void resolve(FsPath directory, ById byId) throws IOException;
  }

  /**
   * Resolves level by level, as the runner works on a level, and {@code one} on a directory. What
   * the directories list and cannot be deleted now stays listed: it is logged, and the transaction
   * is resolved nevertheless.
   */
  void resolve(
      Registration registration, Collection<FsPath> directories, Runner runner, InDirectory one)
      throws IOException {
    SortedMap<Integer, List<FsPath>> levels = new TreeMap<>();
    for (FsPath directory : CommitPlan.withAncestors(directories, registration.coordinator())) {
      levels
          .computeIfAbsent(directory.components().size(), depth -> new ArrayList<>())
          .add(directory);
    }
    levels.put(-1, List.of(registration.coordinator()));
    Undeleted undeleted = new Undeleted();
    // From the top down, so that a directory's entry is there before its index is opened.
    for (List<FsPath> level : levels.values()) {
      runner.run(
          level,
          directory ->
              one.resolve(
                  directory, (id, committed) -> resolveOne(id, directory, committed, undeleted)));
    }
    undeleted
        .failure()
        .ifPresent(
            e ->
                LOG.warn(
                    "{} is resolved, but not all that is listed for deletion in {} could be deleted;"
                        + " the next change there, or radosfs gc, does",
                    StatusRecords.what(registration),
                    undeleted,
                    e));
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
        (directory, byId) -> {
          for (String id : ids) {
            byId.resolve(id, status.of(id).is(TransactionStatus.State.COMMITTED));
          }
        });
  }

  private void resolveOne(String id, FsPath directory, boolean committed, Undeleted undeleted)
      throws IOException {
    if (!committed) {
      unlock(id, directory);
    }
    if (resolver.resolve(directory, id, committed)) {
      undeleted.tryToDelete(directory, () -> deferredDeletions.carryOut(directory));
    }
    if (committed && undeleted.isListedAbove(directory)) {
      closeBelow(id, directory);
    }
  }

  /** Unlocks the directories below; the directory itself comes last. */
  private void unlock(String id, FsPath directory) throws IOException {
    if (head(directory).filter(h -> h.isFrozenBy(id)).isPresent()) {
      for (String name : children.directories(directory).keySet()) {
        FsPath below = directory.child(name);
        unlock(id, below);
        resolver.resolve(below, id, false);
      }
    }
  }

  /**
   * Closes the directories below one that is removed whole, as they are locked with it. Mostly
   * whoever deletes it does so on his way. Where that failed, it is done before the status record
   * may be forgotten: without that, a locked directory is one that stays, and would be opened. One
   * read for each directory below, and one for its names, beside what is to be closed.
   */
  private void closeBelow(String id, FsPath directory) throws IOException {
    if (head(directory).filter(h -> h.is(IndexHead.State.CLOSING)).isPresent()) {
      for (String name : children.directories(directory).keySet()) {
        FsPath below = directory.child(name);
        resolver.resolve(below, id, true);
        closeBelow(id, below);
      }
    }
  }

  private Optional<IndexHead> head(FsPath directory) throws IOException {
    return indexes.reader().keys(directory, List.of()).head();
  }
}
