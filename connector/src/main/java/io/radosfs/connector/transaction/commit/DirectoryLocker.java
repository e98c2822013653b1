// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexLeads;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Locks directories for one transaction, which removes or moves them whole. From then on every
 * client that reads or changes one asks the coordinator. To lock one again changes nothing, so that
 * a commit can be repeated.
 */
public final class DirectoryLocker {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final ClosingDirectories closingDirectories;
  private final StoredChildren children;
  private final IndexSplitter splitter;
  private final QuietDirectories quiet;
  private final BatchLimit limit;
  private final String id;
  private final FsPath coordinator;
  private final IndexesMadeLocked made;
  private final Set<FsPath> locked = new HashSet<>();

  /**
   * @param freeNames for this transaction, with one wait for all that is locked
   */
  DirectoryLocker(
      Indexes indexes,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      ClosingDirectories closingDirectories,
      IndexSplitter splitter,
      Finisher finisher,
      ProcessLedger ledger,
      BatchLimit limit,
      String id,
      FsPath coordinator) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.closingDirectories = closingDirectories;
    this.children = new StoredChildren(indexes.reader());
    this.splitter = splitter;
    this.quiet =
        new QuietDirectories(
            indexes, freeNames, deferredDeletions, finisher, id, coordinator, locked::contains);
    this.limit = limit;
    this.id = id;
    this.coordinator = coordinator;
    this.made = new IndexesMadeLocked(indexes.writer(), ledger, id);
  }

  /** The indexes that this has made, to be removed where that was in vain. */
  public IndexesMadeLocked made() {
    return made;
  }

  /**
   * Locks a directory and all below it, for the transaction to remove or move them whole. A read
   * and a write per index object.
   *
   * @param entry of the directory
   * @param kind chooses the mark of each directory
   * @return what is locked
   * @throws BeingRemovedException if some of them are being removed, which has to end first: they
   *     must not go along. It tells all, so that a tree is not locked again for each
   */
  public LockedTree lock(FsPath directory, Entry.OfDirectory entry, MarkOfDirectory kind)
      throws IOException {
    LockedTree tree = new LockedTree(children, limit);
    Map<FsPath, Uid> beingRemoved = new LinkedHashMap<>();
    lock(directory, entry, kind, tree, beingRemoved);
    if (!beingRemoved.isEmpty()) {
      throw new BeingRemovedException(beingRemoved);
    }
    return tree;
  }

  private void lock(
      FsPath directory,
      Entry.OfDirectory entry,
      MarkOfDirectory kind,
      LockedTree tree,
      Map<FsPath, Uid> beingRemoved)
      throws IOException {
    Optional<DirectoryView> head;
    try {
      head = lockOne(directory, entry, kind.mark(coordinator, entry.uid()), MayHold.MOVED);
    } catch (BeingRemovedException e) {
      beingRemoved.putAll(e.directories());
      return;
    }
    if (head.isEmpty()) {
      tree.addEmpty(directory, entry.layout());
      return;
    }
    // Once the index was opened, its layout counts, not the entry's.
    DataLayout layout = isOpening(head.get()) ? entry.layout() : head.get().layout();
    for (var child : tree.add(directory, layout).entrySet()) {
      lock(directory.child(child.getKey()), child.getValue(), kind, tree, beingRemoved);
    }
  }

  /**
   * Locks a directory and all below it, for the transaction to remove them whole.
   *
   * @param entry of the directory
   * @param kind chooses the mark of each directory
   * @param jobs which ones may be registered there; none of them can commit any more then. Whoever
   *     carries out the removal lists them, so that their records are found
   */
  public void lockToRemove(
      FsPath directory, Entry.OfDirectory entry, MarkOfDirectory kind, JobsThere jobs)
      throws IOException {
    TransactionMark mark = kind.mark(coordinator, entry.uid());
    Optional<DirectoryView> head;
    try {
      head = lockOne(directory, entry, mark, MayHold.removed(jobs));
    } catch (BeingRemovedException e) {
      // It is empty, and takes nothing any more. Its closing index goes with the one above.
      return;
    }
    if (head.isPresent()) {
      for (var child : children.directories(directory).entrySet()) {
        lockToRemove(directory.child(child.getKey()), child.getValue(), kind, jobs);
      }
    }
  }

  /** Chooses the mark of a locked directory, which says what becomes of it. */
  @FunctionalInterface
  public interface MarkOfDirectory {
    TransactionMark mark(FsPath coordinator, Uid directory);
  }

  /**
   * Locks the head object, then the shards that it leads to.
   *
   * @return the head before this lock, if one was needed; empty if there was no index, so no
   *     children
   */
  private Optional<DirectoryView> lockOne(
      FsPath directory, Entry.OfDirectory entry, TransactionMark mark, MayHold may)
      throws IOException {
    Optional<DirectoryView> head =
        indexes.retries().run(what(directory), () -> tryToLock(directory, entry, mark, may));
    locked.add(directory);
    return head;
  }

  private static String what(FsPath directory) {
    return "lock of directory " + directory + ", to move or replace it whole,";
  }

  /** Empty if it must be tried again. */
  private Optional<Optional<DirectoryView>> tryToLock(
      FsPath directory, Entry.OfDirectory entry, TransactionMark mark, MayHold may)
      throws IOException {
    DirectoryView now = indexes.reader().keys(directory, Set.of(IndexKeys.transaction(id)));
    indexes.router().saw(now);
    Optional<IndexHead> head = now.head();
    if (head.isEmpty()) {
      return made.make(directory, entry.layout(), mark)
          ? Optional.of(Optional.empty())
          : Optional.empty();
    }
    if (head.get().is(IndexHead.State.CLOSING)) {
      Uid removed = new Uid(head.get().tag());
      if (closingDirectories.finishFor(freeNames, directory, removed)) {
        return Optional.empty();
      }
      throw new BeingRemovedException(Map.of(directory, removed));
    }
    if (head.get().is(IndexHead.State.SPLITTING)) {
      splitter.finish(directory);
      return Optional.empty();
    }
    // The locked head may have more shards than the head read before.
    Optional<DirectoryView> locked =
        head.get().isFrozenBy(id)
            ? hasMark(now, mark) ? Optional.of(now) : Optional.empty()
            : lockObject(now.index(), Optional.of(entry.layout()), mark, may);
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    Shards shards = locked.get().head().orElseThrow().shards();
    for (IndexObject shard : shards.of(directory)) {
      lockShard(shard, mark, may);
    }
    return Optional.of(locked);
  }

  /** The shard stays while the head is locked for this transaction. */
  private void lockShard(IndexObject shard, TransactionMark mark, MayHold may) throws IOException {
    indexes
        .retries()
        .until(
            what(shard.directory()),
            () -> {
              DirectoryView now = indexes.reader().keys(shard, Set.of(IndexKeys.transaction(id)));
              Optional<IndexHead> head = now.head();
              if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING)) {
                // Another client has finished the same transaction, or given it up.
                throw IntendedChange.changed(shard.directory());
              }
              return head.get().isFrozenBy(id)
                  ? hasMark(now, mark)
                  : lockObject(shard, Optional.empty(), mark, may).isPresent();
            });
  }

  /**
   * Whether an object that is locked for this transaction has the mark for a directory. An earlier
   * try may have read the entry of a directory that was removed, and have locked the index of the
   * next one at the path. Its mark is put right, or what it removes would never be found: no
   * deferred deletion would have the uid that it names. While the index is locked, the entry stays.
   * A write then. Returns false if it must be looked at again.
   */
  private boolean hasMark(DirectoryView locked, TransactionMark mark) throws IOException {
    Optional<byte[]> stored = locked.value(IndexKeys.transaction(id));
    if (stored.isEmpty()) {
      return true; // which resolving names as damage
    }
    TransactionMark there = TransactionMark.decode(locked.object(), id, stored.get());
    if (there.directory().equals(mark.directory())) {
      return true;
    }
    TransactionMark right = there.made() ? mark.inMadeIndex() : mark;
    boolean put =
        indexes
            .writer()
            .applyUnseen(
                IndexChange.of(locked)
                    .expect(IndexKeys.transaction(id), stored)
                    .set(IndexKeys.transaction(id), right.encode())
                    .transactional());
    if (put) {
      made.hasMark(locked.index(), right);
    }
    return put;
  }

  /**
   * Returns the object as it was before the lock; empty if it must be tried again.
   *
   * @param ofEntry the layout of the entry, which counts until the index is opened
   */
  private Optional<DirectoryView> lockObject(
      IndexObject index, Optional<DataLayout> ofEntry, TransactionMark mark, MayHold may)
      throws IOException {
    freeNames.view(index, Set.of(), Set.of());
    Optional<DirectoryView> before = quiet.view(index, may);
    if (before.isEmpty() || !before.get().exists() || !isOpenOrOpening(before.get())) {
      return Optional.empty();
    }
    TransactionMark own = isUnused(index, before.get()) ? mark.inMadeIndex() : mark;
    IndexChange locking =
        IndexChange.of(before.get())
            .expectUnchanged(before.get())
            .head(before.get().head().orElseThrow().frozenBy(id))
            .set(IndexKeys.transaction(id), own.encode())
            .transactional();
    if (isOpening(before.get()) && ofEntry.isPresent()) {
      // It will be open when it is unlocked.
      locking.layout(before.get().layout(), ofEntry.get());
    }
    return indexes.writer().applyUnseen(locking) ? before : Optional.empty();
  }

  /**
   * Whether another client has made the index, and not opened it, and nothing is in it: the
   * directory may have been removed since its entry was read. If the transaction is aborted, such
   * an index must not become an open one. A missing index reads as empty too, so it is removed as
   * one that this client has made. A read, if it is not open.
   */
  private boolean isUnused(IndexObject index, DirectoryView quiet) throws IOException {
    // What has changed since it was read fails the guard of the lock.
    return isOpening(quiet) && IndexLeads.read(indexes.reader(), index).isNothingBut(Set.of());
  }

  private static boolean isOpenOrOpening(DirectoryView view) throws IOException {
    return view.isOpen() || isOpening(view);
  }

  private static boolean isOpening(DirectoryView view) throws IOException {
    return view.head().filter(head -> head.is(IndexHead.State.OPENING)).isPresent();
  }
}
