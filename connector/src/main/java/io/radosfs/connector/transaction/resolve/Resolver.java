// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexLeads;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Resolves decided transactions in one directory: rolls a committed one forward, rolls any other
 * back. Any client may do it, at any time, also together with others. Each step is guarded with the
 * transaction's mark and with {@code h.transactions}. So only one of several takes effect, and none
 * once the mark is gone.
 */
public final class Resolver {

  private final Indexes indexes;
  private final Retention retention;
  private final DirectoryLoop loop;
  private final BatchLimit limit;

  /**
   * @param loop runs the work on the shards of a directory
   * @param limit of one operation
   */
  public Resolver(Indexes indexes, Retention retention, DirectoryLoop loop, BatchLimit limit) {
    this.indexes = indexes;
    this.retention = retention;
    this.loop = loop;
    this.limit = limit;
  }

  /**
   * Resolves a transaction in one directory. Two writes and a read for up to 1,024 names; one read
   * if it left no mark.
   *
   * @return whether the directory lists deferred deletions, of this transaction or another
   */
  public boolean resolve(FsPath directory, String id, boolean committed) throws IOException {
    return resolve(IndexObject.head(directory), id, committed);
  }

  /** The same for one index object; for the head of a directory with shards, shards first. */
  public boolean resolve(IndexObject index, String id, boolean committed) throws IOException {
    return resolve(new Concerned(index, Optional.empty()), id, committed);
  }

  /**
   * The same for a transaction that concerns only one name of a directory. An intent on the name
   * without a mark, which is damage, is resolved too: what becomes of it is known here.
   */
  public boolean resolveName(FsPath directory, String name, String id, boolean committed)
      throws IOException {
    return resolve(new Concerned(IndexObject.head(directory), Optional.of(name)), id, committed);
  }

  /** What a transaction concerns: an index object, or only one name of it. */
  private record Concerned(IndexObject index, Optional<String> name) {

    FsPath directory() {
      return index.directory();
    }

    /** The keys that are read of it. */
    List<String> keys(String id) {
      List<String> keys = new ArrayList<>(List.of(IndexKeys.transaction(id)));
      name.ifPresent(one -> keys.addAll(List.of(IndexKeys.intent(one), IndexKeys.entry(one))));
      return keys;
    }

    List<IndexObject> in(Shards shards) {
      return name.isPresent()
          ? List.of(shards.of(directory(), name.get()))
          : shards.of(directory());
    }

    Concerned in(IndexObject shard) {
      return new Concerned(shard, name);
    }
  }

  private boolean resolve(Concerned concerned, String id, boolean committed) throws IOException {
    boolean defers = false;
    while (true) {
      Progress progress =
          indexes
              .retries()
              .run(
                  "resolution of transaction " + id + " in directory " + concerned.directory(),
                  () ->
                      Optional.of(resolveSome(concerned, id, committed))
                          .filter(step -> step.done() || step.applied()));
      defers |= progress.defers();
      if (progress.done()) {
        return defers;
      }
    }
  }

  /**
   * What one step has done.
   *
   * @param done whether nothing is left to resolve
   * @param applied whether something was resolved; false if another client was faster
   * @param defers whether deferred deletions are listed
   */
  private record Progress(boolean done, boolean applied, boolean defers) {}

  private Progress resolveSome(Concerned concerned, String id, boolean committed)
      throws IOException {
    IndexObject index = concerned.index();
    Map<String, DirectoryPage> pages =
        indexes
            .reader()
            .pages(
                index,
                concerned.keys(id),
                Map.of(IndexKeys.INTENT_PREFIX, "", IndexKeys.DEFERRED_DELETION_PREFIX, ""));
    boolean defers = !pages.get(IndexKeys.DEFERRED_DELETION_PREFIX).entries().isEmpty();
    DirectoryPage page = pages.get(IndexKeys.INTENT_PREFIX);
    DirectoryView view = page.view();
    if (view.isSharded()) {
      // The head comes last, as it leads to the shards.
      AtomicBoolean listed = new AtomicBoolean(defers);
      loop.run(
          concerned.in(view.head().orElseThrow().shards()),
          shard -> {
            if (resolve(concerned.in(shard), id, committed)) {
              listed.set(true);
            }
          });
      defers = listed.get();
    }
    Optional<byte[]> stored = view.value(IndexKeys.transaction(id));
    if (stored.isEmpty()) {
      return unmarked(view, concerned, id, committed, defers);
    }
    TransactionMark mark = TransactionMark.decode(view.object(), id, stored.get());
    IndexHead head = view.head().orElseThrow();
    if (mark.whole() != TransactionMark.Whole.KEPT) {
      requireLocked(view, id);
      boolean resolved = resolveWhole(view, id, mark, stored.get(), committed);
      return new Progress(resolved, resolved, defers);
    }
    OwnIntents intents = OwnIntents.of(page, id);
    while (intents.isEmpty() && page.more()) {
      page = indexes.reader().page(index, IndexKeys.INTENT_PREFIX, page.lastKey());
      intents = OwnIntents.of(page, id);
    }
    boolean last = !page.more();
    if (!committed && last && head.is(IndexHead.State.OPENING)) {
      IndexLeads leads = IndexLeads.read(indexes.reader(), index);
      // It leads to nothing but what is this transaction's own.
      if (leads.isNothingBut(intents.keysOfItAlone())) {
        // If another client has changed the index since, it is looked at again: without the mark,
        // nothing would lead to it.
        boolean removed = removeUnused(view, id, stored.get(), leads);
        return new Progress(removed, removed, defers);
      }
    }
    OwnIntents some = intents.within(limit, committed);
    last &= some.size() == intents.size();
    DirectoryView entries = view;
    boolean needsEntries = committed && some.needEntries();
    if (needsEntries) {
      entries = indexes.reader().names(index, some.names());
      if (!view.sameTransactions(entries)) {
        return new Progress(false, false, defers);
      }
    }
    IndexChange change =
        IndexChange.of(index, head)
            .expect(IndexKeys.transaction(id), stored.get())
            .expect(IndexKeys.TRANSACTIONS, view.value(IndexKeys.TRANSACTIONS))
            .transactional();
    some.resolve(change, entries, committed, retention);
    if (last) {
      change.remove(IndexKeys.transaction(id));
      if (committed && head.is(IndexHead.State.OPENING)) {
        open(change, view, id);
      }
    }
    defers |= needsEntries;
    boolean applied = indexes.writer().applyUnseen(change);
    return new Progress(applied && last, applied, defers);
  }

  /** Without a mark nothing is left to resolve, or an intent that has lost its mark. */
  private Progress unmarked(
      DirectoryView view, Concerned concerned, String id, boolean committed, boolean defers)
      throws IOException {
    String name = concerned.name().orElse("");
    Optional<WriteIntent> intent =
        name.isEmpty() || view.isSharded()
            ? Optional.empty()
            : view.intent(name).filter(found -> found.isBy(id));
    if (intent.isEmpty()) {
      return new Progress(true, true, defers);
    }
    byte[] stored = view.value(IndexKeys.intent(name)).orElseThrow();
    IndexChange change =
        IndexChange.of(view)
            .expectAbsent(IndexKeys.transaction(id))
            .expect(IndexKeys.intent(name), stored)
            .expect(IndexKeys.entry(name), view.storedEntry(name))
            .transactional();
    OwnIntents.of(id, name, intent.get(), stored).resolve(change, view, committed, retention);
    boolean applied = indexes.writer().applyUnseen(change);
    return new Progress(applied, applied, defers || (committed && applied));
  }

  /**
   * Opens an index. One read if another transaction made it: it may have the layout of an earlier
   * directory of this path, which is gone. The directory's entry was resolved before; if not, as
   * that of a renamed directory, this transaction has an intent for it.
   */
  private void open(IndexChange change, DirectoryView view, String id) throws IOException {
    IndexHead head = view.head().orElseThrow();
    change.head(head.opened());
    FsPath directory = view.directory();
    if (!head.tag().equals(id) && !directory.isRoot()) {
      String name = directory.name();
      DirectoryView parent = indexes.router().name(directory.parent(), name);
      Optional<Entry> entry = parent.entry(name);
      if (entry.isEmpty()) {
        entry = parent.intent(name).filter(by -> by.isBy(id)).flatMap(WriteIntent::entry);
      }
      if (entry.isPresent() && entry.get() instanceof Entry.OfDirectory made) {
        change.layout(view.layout(), made.layout());
      }
    }
  }

  /** Fails unless the head is locked: a mark for the whole comes and goes with the lock. */
  private void requireLocked(DirectoryView view, String id) throws IOException {
    if (view.head().filter(head -> head.isFrozenBy(id)).isEmpty()) {
      String key = IndexKeys.transaction(id);
      throw new LayoutException(
          "directory "
              + view.directory()
              + " is to be removed or moved whole by transaction "
              + id
              + ", as omap key '"
              + key
              + "' of RADOS object '"
              + view.object()
              + "' says, but its key '"
              + IndexKeys.HEAD
              + "' does not say that it is locked by it. It was damaged, or changed by another"
              + " program; nothing was changed. It is read as it stands: where that is right, let go"
              + " of it by: "
              + indexes.reader().commands().line("rmomapkey", view.object(), key));
    }
  }

  private boolean resolveWhole(
      DirectoryView view, String id, TransactionMark mark, byte[] stored, boolean committed)
      throws IOException {
    IndexHead head = view.head().orElseThrow();
    IndexChange change =
        IndexChange.of(view.index(), head.frozenBy(id)).expect(IndexKeys.transaction(id), stored);
    if (committed ? mark.whole() == TransactionMark.Whole.MOVED : mark.made()) {
      return indexes.writer().applyUnseen(change.removeIndex());
    }
    if (committed && mark.whole() == TransactionMark.Whole.REPLACED) {
      keep(change);
    }
    return indexes
        .writer()
        .applyUnseen(
            change
                .remove(IndexKeys.transaction(id))
                .head(committed ? head.closingAs(mark.directory().orElseThrow()) : head.opened())
                .transactional());
  }

  /** Notes in the index of a whole directory until when its files are retained. */
  private void keep(IndexChange change) {
    long until = retention.until();
    if (until != DeferredDeletion.AT_ONCE) {
      change.set(IndexKeys.KEPT_UNTIL, DeferredDeletion.encodeUntil(until));
    }
  }

  /** Returns false if the index is not as it was read. */
  private boolean removeUnused(DirectoryView view, String id, byte[] mark, IndexLeads leads)
      throws IOException {
    return leads.view().exists()
        && indexes
            .writer()
            .applyUnseen(
                IndexChange.of(view)
                    .expect(IndexKeys.transaction(id), mark)
                    .expectUnchanged(leads.view())
                    .removeIndex());
  }
}
