// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
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
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries out the deferred deletions that index objects list under {@code x/}: of files' data, by
 * {@link ListedData}, and of directories, whose closing indexes go with all that they list. Any
 * client can repeat each step: an index is removed by an operation guarded with its closing head,
 * and what leads to an object is removed after the object. What of a closing index cannot be
 * deleted is handed over ({@link ListedData#deleteOrHandOver}), so that its directory's name can be
 * used again.
 *
 * <p>Cost: one read for each index object of which nothing is listed; else the removals, and one
 * read and one write for each page of what is listed.
 */
public final class DeferredDeletions {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final ListedData listedData;
  private final RemovedJobs removedJobs;

  public DeferredDeletions(
      Indexes indexes, FreeNames freeNames, ListedData listedData, RemovedJobs removedJobs) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.listedData = listedData;
    this.removedJobs = removedJobs;
  }

  /**
   * Deletes everything listed in a directory. What others list meanwhile is theirs to delete, and
   * may stay. One read if nothing is listed, and one for each shard.
   */
  public void carryOut(FsPath directory) throws IOException {
    FirstFailure failure = new FirstFailure();
    failure.attempt(
        () -> {
          for (IndexObject shard : shards(carryOut(IndexObject.head(directory), failure))) {
            if (!failure.isEnd()) {
              failure.attempt(() -> carryOut(shard, failure));
            }
          }
        });
    failure.rethrow();
  }

  private static List<IndexObject> shards(DirectoryView head) throws IOException {
    return head.isSharded() ? head.head().orElseThrow().shards().of(head.directory()) : List.of();
  }

  /** Deletes everything listed in the index object that has a name. */
  public void carryOut(FsPath directory, String name) throws IOException {
    carryOut(indexes.router().name(directory, name).index());
  }

  /** The same for one index object. */
  public void carryOut(IndexObject index) throws IOException {
    FirstFailure failure = new FirstFailure();
    failure.attempt(() -> carryOut(index, failure));
    failure.rethrow();
  }

  /** Returns a view of the index object as it was before the last deletions. */
  private DirectoryView carryOut(IndexObject index, FirstFailure failure) throws IOException {
    DirectoryPage page = indexes.reader().page(index, IndexKeys.DEFERRED_DELETION_PREFIX, "");
    while (!page.entries().isEmpty()) {
      boolean unused = carryOut(page, false, failure);
      if (!page.more() || failure.isEnd()) {
        break;
      }
      page = indexes.reader().page(index, IndexKeys.DEFERRED_DELETION_PREFIX, page.lastKey());
    }
    return page.view();
  }

  /**
   * Deletes everything listed in a closing index object, or hands it over, until nothing is: what
   * is listed when the object goes would never be found. Only removals that were begun before can
   * list more there. Returns false if the index has another head by now: another client has
   * finished the removal, and what is listed is of a directory made since, where others may list
   * more without end.
   */
  private boolean carryOutAll(IndexObject index, IndexHead closing) throws IOException {
    FirstFailure failure = new FirstFailure();
    String after = "";
    while (!failure.isEnd()) {
      DirectoryPage page = indexes.reader().page(index, IndexKeys.DEFERRED_DELETION_PREFIX, after);
      if (page.view().head().filter(closing::equals).isEmpty()) {
        return false;
      }
      if (page.entries().isEmpty()) {
        break;
      }
      if (!carryOut(page, true, failure)) {
        after = page.lastKey();
      }
    }
    failure.rethrow();
    return true;
  }

  /**
   * Deletes what is listed on a page. What cannot be read or deleted stays listed, and does not
   * stop the rest; that of a closing index is handed over, as far as it is of files. Returns
   * whether nothing stayed.
   */
  private boolean carryOut(DirectoryPage page, boolean closing, FirstFailure failure) {
    Map<String, DeferredDeletion> listed = new HashMap<>();
    FirstFailure damage = new FirstFailure();
    for (Map.Entry<String, byte[]> entry : page.entries().entrySet()) {
      damage.attempt(
          () ->
              listed.put(
                  entry.getKey(),
                  DeferredDeletion.decode(page.view().object(), entry.getKey(), entry.getValue())));
    }
    Map<String, byte[]> unreadable = new HashMap<>(page.entries());
    unreadable.keySet().removeAll(listed.keySet());
    Set<DeferredDeletion> deleted = new HashSet<>();
    delete(listed.values(), closing, deleted::add, failure);
    listed.values().retainAll(deleted);
    Set<String> done = new HashSet<>(listed.keySet());
    if (closing && !failure.isEnd()) {
      failure.attempt(
          () -> {
            listedData.handOver(unreadable, damage);
            done.addAll(unreadable.keySet());
          });
    } else {
      damage.first().ifPresent(failure::add);
    }
    Set<String> forgotten = new HashSet<>();
    failure.attempt(
        () -> {
          listedData.forget(page.view().index(), done);
          forgotten.addAll(done);
        });
    return forgotten.equals(page.entries().keySet());
  }

  /**
   * Deletes all that can be deleted, the data of files first.
   *
   * @param closing whether the index is to go that lists them
   * @param deleted told of what is deleted, or handed over
   */
  private void delete(
      Collection<? extends DeferredDeletion> listed,
      boolean closing,
      Consumer<DeferredDeletion> deleted,
      FirstFailure failure) {
    if (closing) {
      listedData.deleteOrHandOver(listed, deleted, failure);
    } else {
      listedData.delete(listed, deleted, failure);
    }
    for (DeferredDeletion deletion : listed) {
      if (deletion instanceof DeferredDeletion.OfDirectory removed && !failure.isEnd()) {
        failure.attempt(
            () -> {
              deleteIndex(removed.directory(), removed.uid());
              deleted.accept(removed);
            });
      }
    }
  }

  /**
   * Deletes the data of the files in a closing index, or hands it over, then the index. Does
   * nothing if the index is not closing. Four reads at most for each index object, and one for each
   * further page; one write, beside those for the data and for jobs' records.
   */
  void deleteIndex(FsPath directory, Uid uid) throws IOException {
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
    if (!carryOutAll(view.index(), head.get()) || !keepJobs(directory, head.get())) {
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
      if (deleteChildren(view, head.get()) && carryOutAll(shard, head.get())) {
        remove(IndexChange.of(shard, head.get()));
      }
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
      delete(children, true, deleted -> {}, failure);
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
        String id = IndexKeys.transactionOfStatus(stored.getKey());
        TransactionStatus status =
            TransactionStatus.decode(page.view().object(), id, stored.getValue());
        if (!OwnTransactions.include(id, status.owner())) {
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
