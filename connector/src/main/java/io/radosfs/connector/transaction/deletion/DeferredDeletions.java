// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries out deferred deletions: of the data listed under {@code x/}, and of closing directories.
 * Data of replaced files that is to be retained is handed over to {@link RetainedData}, so that the
 * index does not list it any more and can be removed or moved. Any client can repeat each step:
 * data is removed by operations guarded with its uid, an index by one guarded with its closing
 * head, and what leads to an object is removed after the object.
 */
public final class DeferredDeletions {

  private final ObjectStore store;
  private final Indexes indexes;
  private final FreeNames freeNames;
  private final DataRemover data;
  private final Retention retention;
  private final RetainedData retainedData;
  private final RemovedJobs removedJobs;

  public DeferredDeletions(
      Indexes indexes,
      ObjectStore store,
      FreeNames freeNames,
      DataRemover data,
      Retention retention,
      RetainedData retainedData,
      RemovedJobs removedJobs) {
    this.store = store;
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.data = data;
    this.retention = retention;
    this.retainedData = retainedData;
    this.removedJobs = removedJobs;
  }

  /** Deletes everything listed in a directory. One read if nothing is, and one for each shard. */
  public void carryOut(FsPath directory) throws IOException {
    DirectoryView view = carryOut(IndexObject.head(directory));
    for (IndexObject shard : shards(view)) {
      DirectoryView unused = carryOut(shard);
    }
  }

  private static List<IndexObject> shards(DirectoryView head) throws IOException {
    return head.isSharded() ? head.head().orElseThrow().shards().of(head.directory()) : List.of();
  }

  /** Deletes everything listed in the index object that has a name. */
  public void carryOut(FsPath directory, String name) throws IOException {
    DirectoryView unused = carryOut(indexes.router().name(directory, name).index());
  }

  /** Deletes everything listed in one index object; returns a view of it afterwards. */
  public DirectoryView carryOut(IndexObject index) throws IOException {
    FirstFailure failure = new FirstFailure();
    String after = "";
    while (true) {
      DirectoryPage page = indexes.reader().page(index, IndexKeys.DEFERRED_DELETION_PREFIX, after);
      if (page.entries().isEmpty()) {
        failure.rethrow();
        return page.view();
      }
      if (!carryOut(page, failure)) {
        after = page.lastKey();
      }
    }
  }

  /**
   * Deletes what is listed on a page. What cannot be read or deleted stays listed, and does not
   * stop the rest. Returns whether nothing stayed.
   */
  private boolean carryOut(DirectoryPage page, FirstFailure failure) {
    Map<String, DeferredDeletion> listed = new HashMap<>();
    for (Map.Entry<String, byte[]> entry : page.entries().entrySet()) {
      failure.attempt(
          () ->
              listed.put(
                  entry.getKey(),
                  DeferredDeletion.decode(page.view().object(), entry.getKey(), entry.getValue())));
    }
    Set<DeferredDeletion> deleted = new HashSet<>();
    delete(listed.values(), deleted::add, failure);
    listed.values().retainAll(deleted);
    Set<String> forgotten = new HashSet<>();
    failure.attempt(
        () -> {
          forget(page.view().index(), listed.keySet());
          forgotten.addAll(listed.keySet());
        });
    return forgotten.equals(page.entries().keySet());
  }

  /**
   * Deletes the objects of a file that a change has removed and listed, then the {@code x/} key.
   * One write, plus those for the data; nothing if the change has listed nothing ({@link
   * IndexChange#hasListed}).
   */
  public void carryOut(IndexChange made, FileData removed) throws IOException {
    carryOut(made, List.of(removed));
  }

  /** The same for a replaced file: retained data is handed over, by one more write. */
  public void carryOut(IndexChange made, DeferredDeletion.OfFile listed) throws IOException {
    if (made.hasListed()) {
      delete(List.of(listed));
      forget(made.index(), List.of(IndexKeys.deferredDeletion(listed.uid())));
    }
  }

  /** The same for many files of one index object. One write, plus those for the data. */
  public void carryOut(IndexChange made, Collection<FileData> removed) throws IOException {
    if (made.hasListed()) {
      data.removeAll(removed);
      List<String> keys = new ArrayList<>();
      removed.forEach(file -> keys.add(IndexKeys.deferredDeletion(file.uid())));
      forget(made.index(), keys);
    }
  }

  private void forget(IndexObject index, Collection<String> keys) throws IOException {
    if (keys.isEmpty()) {
      return;
    }
    WriteOp op = WriteOp.builder().assertExists().removeOmap(keys).build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(() -> store.write(index.name(), op), StoreException.Kind.NOT_FOUND);
  }

  private void delete(Collection<? extends DeferredDeletion> listed) throws IOException {
    FirstFailure failure = new FirstFailure();
    delete(listed, deleted -> {}, failure);
    failure.rethrow();
  }

  /**
   * Deletes all that can be deleted, the data of files first.
   *
   * @param deleted told of what is deleted, or handed over
   */
  private void delete(
      Collection<? extends DeferredDeletion> listed,
      Consumer<DeferredDeletion> deleted,
      FirstFailure failure) {
    Map<FileData, List<DeferredDeletion>> files = new LinkedHashMap<>();
    List<DeferredDeletion.OfFile> kept = new ArrayList<>();
    for (DeferredDeletion deletion : listed) {
      if (deletion instanceof DeferredDeletion.OfFile file) {
        if (retention.keeps(file)) {
          kept.add(file);
        } else {
          files.computeIfAbsent(file.file().data(), any -> new ArrayList<>()).add(file);
        }
      }
    }
    failure.attempt(
        () -> {
          retainedData.keep(kept);
          kept.forEach(deleted);
        });
    failure.attempt(
        () -> data.removeAll(files.keySet().iterator(), file -> files.get(file).forEach(deleted)));
    for (DeferredDeletion deletion : listed) {
      if (deletion instanceof DeferredDeletion.OfDirectory removed) {
        failure.attempt(
            () -> {
              deleteIndex(removed.directory(), removed.uid());
              deleted.accept(removed);
            });
      }
    }
  }

  /**
   * Finishes the removal of a directory whose index is closing: removes its entry in the parent,
   * then the data of its files, then the index.
   *
   * @param uid of the directory, as in the closing head
   */
  public void finishRemoval(FsPath directory, Uid uid) throws IOException {
    clearRemoved(directory, uid, removeEntry(directory, uid, Optional.empty()));
  }

  /**
   * Removes the entry of a directory whose index is closing, if it is still there: until then
   * readers see the directory, empty. One write, and one read if there is no {@code parent}.
   *
   * @param parent an earlier view of the directory above, which saves a read if it still holds
   * @return the index object that lists, or would list, the directory for deletion
   */
  public IndexObject removeEntry(FsPath directory, Uid uid, Optional<DirectoryView> parent)
      throws IOException {
    Iterator<DirectoryView> seen = parent.stream().iterator();
    return indexes
        .retries()
        .run(
            "removal of the entry of " + directory,
            () ->
                tryToRemoveEntry(
                    directory,
                    uid,
                    seen.hasNext()
                        ? seen.next()
                        : freeNames.view(directory.parent(), List.of(directory.name()))));
  }

  /**
   * Deletes the data and the index of a closing directory whose entry is gone.
   *
   * @param listing what {@link #removeEntry} has returned
   */
  public void clearRemoved(FsPath directory, Uid uid, IndexObject listing) throws IOException {
    deleteIndex(directory, uid);
    forget(listing, List.of(IndexKeys.deferredDeletion(uid)));
  }

  /** Empty if it must be tried again. */
  private Optional<IndexObject> tryToRemoveEntry(FsPath directory, Uid uid, DirectoryView parent)
      throws IOException {
    String name = directory.name();
    Optional<Entry> entry = parent.entry(name);
    if (entry.isEmpty() || !entry.get().uid().equals(uid)) {
      return Optional.of(parent.index());
    }
    boolean removed =
        indexes
            .writer()
            .applyOrLookAgain(
                IndexChange.of(parent)
                    .expectFree(name, parent.storedEntry(name))
                    .remove(IndexKeys.entry(name))
                    .defer(DeferredDeletion.of(directory, entry.get())));
    return removed ? Optional.of(parent.index()) : Optional.empty();
  }

  /**
   * Deletes the data of the files in a closing index, or hands it over, then the index. Does
   * nothing if the index is not closing.
   */
  private void deleteIndex(FsPath directory, Uid uid) throws IOException {
    DirectoryView view = indexes.reader().keys(directory, List.of(IndexKeys.KEPT_UNTIL));
    Optional<IndexHead> head = view.head();
    if (head.isPresent() && head.get().is(IndexHead.State.FROZEN)) {
      // The removal of a listed directory was decided. Any other lock is of a directory made since.
      freeNames.resolveRemoval(view.index(), head.get().tag(), uid);
      view = indexes.reader().keys(directory, List.of(IndexKeys.KEPT_UNTIL));
      head = view.head();
    }
    if (head.isEmpty() || !isClosing(head.get(), uid)) {
      return;
    }
    FirstFailure failure = new FirstFailure();
    for (IndexObject shard : shards(view)) {
      if (!failure.isEnd()) {
        failure.attempt(() -> deleteShard(shard, uid));
      }
    }
    failure.rethrow();
    if (!view.isSharded() && !deleteChildren(view, head.get())) {
      return;
    }
    DirectoryView unused = carryOut(view.index());
    if (!keepJobs(directory, head.get())) {
      return;
    }
    remove(IndexChange.of(directory, head.get()));
  }

  /**
   * Removes a closing index. Throws if the outcome is unknown: then the {@code x/} key, which leads
   * to the index, must stay.
   */
  private void remove(IndexChange closing) throws IOException {
    // Refused if there is another head by now: another client has finished the removal.
    boolean unused = indexes.writer().apply(closing.removeIndex());
  }

  private static boolean isClosing(IndexHead head, Uid uid) {
    return head.is(IndexHead.State.CLOSING) && head.tag().equals(uid.value());
  }

  /** All shards are closing before the head is. */
  private void deleteShard(IndexObject shard, Uid uid) throws IOException {
    DirectoryView view = indexes.reader().keys(shard, List.of(IndexKeys.KEPT_UNTIL));
    Optional<IndexHead> head = view.head();
    if (head.isPresent() && isClosing(head.get(), uid)) {
      if (!deleteChildren(view, head.get())) {
        return;
      }
      DirectoryView unused = carryOut(shard);
      remove(IndexChange.of(shard, head.get()));
    }
  }

  /** Until when files of a replaced directory are retained; those of a deleted one are not. */
  private static long keptUntil(DirectoryView closing) throws LayoutException {
    Optional<byte[]> stored = closing.value(IndexKeys.KEPT_UNTIL);
    return stored.isEmpty()
        ? DeferredDeletion.AT_ONCE
        : DeferredDeletion.decodeUntil(closing.object(), IndexKeys.KEPT_UNTIL, stored.get());
  }

  /**
   * Deletes the data of the children, or hands it over. Returns false if the index has another head
   * by now: another client has finished the removal, and the index is of a directory made since.
   *
   * @throws IOException the first failure; what else can be deleted is deleted
   */
  private boolean deleteChildren(DirectoryView closingView, IndexHead closing) throws IOException {
    IndexObject index = closingView.index();
    long until = keptUntil(closingView);
    FirstFailure failure = new FirstFailure();
    String after = "";
    boolean more = true;
    while (more && !failure.isEnd()) {
      DirectoryPage page = indexes.reader().page(index, IndexKeys.ENTRY_PREFIX, after);
      if (page.view().head().filter(closing::equals).isEmpty()) {
        return false;
      }
      List<DeferredDeletion> children = new ArrayList<>();
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        failure.attempt(
            () -> {
              FsPath path = index.directory().child(IndexKeys.nameOf(stored.getKey()));
              Entry child = EntryCodec.decode(path, stored.getValue());
              children.add(DeferredDeletion.of(path, child, until));
            });
      }
      delete(children, deleted -> {}, failure);
      more = page.more();
      after = more ? page.lastKey() : after;
    }
    failure.rethrow();
    return true;
  }

  /**
   * Keeps the records of jobs that wrote to a removed directory reachable. The jobs cannot commit
   * any more, but what they wrote is still to be deleted: of a committed job only what it left
   * over, as its files may have been renamed to elsewhere. So the status record is kept. Returns
   * false if the index has another head by now.
   */
  private boolean keepJobs(FsPath directory, IndexHead closing) throws IOException {
    Map<String, byte[]> records = new HashMap<>();
    String after = "";
    boolean more = true;
    while (more) {
      DirectoryPage page =
          indexes.reader().page(directory, IndexKeys.TRANSACTION_STATUS_PREFIX, after);
      if (page.view().head().filter(closing::equals).isEmpty()) {
        return false;
      }
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        String id = stored.getKey().substring(IndexKeys.TRANSACTION_STATUS_PREFIX.length());
        TransactionStatus status =
            TransactionStatus.decode(page.view().object(), id, stored.getValue());
        if (!OwnTransactions.isOwner(status.owner())) {
          records.put(status.owner(), stored.getValue());
        }
      }
      more = page.more();
      after = more ? page.lastKey() : after;
    }
    removedJobs.list(records);
    return true;
  }
}
