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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Resolves decided transactions in one directory: rolls a committed one forward, rolls any other
 * back. Any client may do it, at any time, also together with others. Each step is guarded with the
 * transaction's mark and with {@code h.transactions}. So only one of several takes effect, and none
 * once the mark is gone.
 */
public final class Resolver {

  /** How many bytes the keys of a name and a deferred deletion usually take. */
  private static final int KEYS_AND_LISTING = 384;

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
    FsPath directory = index.directory();
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
    Map<String, WriteIntent> intents = new HashMap<>();
    Map<String, byte[]> storedIntents = new HashMap<>();
    collect(page, id, intents, storedIntents);
    while (intents.isEmpty() && page.more()) {
      page = indexes.reader().page(index, IndexKeys.INTENT_PREFIX, page.lastKey());
      collect(page, id, intents, storedIntents);
    }
    boolean last = !page.more();
    if (!committed && last && head.is(IndexHead.State.OPENING)) {
      IndexLeads leads = IndexLeads.read(indexes.reader(), index);
      if (isUnused(leads, id, intents)) {
        // If another client has changed the index since, it is looked at again: without the mark,
        // nothing would lead to it.
        boolean removed = removeUnused(view, id, stored.get(), leads);
        return new Progress(removed, removed, defers);
      }
    }
    List<List<String>> batches =
        limit.cut(
            intents.keySet(), name -> bytes(intents.get(name), storedIntents.get(name), committed));
    if (batches.size() > 1) {
      intents.keySet().retainAll(batches.get(0));
      last = false;
    }
    DirectoryView entries = view;
    if (needsEntries(intents, committed)) {
      entries = indexes.reader().names(index, intents.keySet());
      if (!view.sameTransactions(entries)) {
        return new Progress(false, false, defers);
      }
    }
    IndexChange change =
        IndexChange.of(index, head)
            .expect(IndexKeys.transaction(id), stored.get())
            .expect(IndexKeys.TRANSACTIONS, view.value(IndexKeys.TRANSACTIONS))
            .transactional();
    for (Map.Entry<String, WriteIntent> intent : intents.entrySet()) {
      String name = intent.getKey();
      if (committed) {
        apply(change, entries, name, intent.getValue());
      }
      release(change, directory.child(name), intent.getValue(), storedIntents.get(name), id);
    }
    if (last) {
      change.remove(IndexKeys.transaction(id));
      if (committed && head.is(IndexHead.State.OPENING)) {
        open(change, view, id);
      }
    }
    defers |= needsEntries(intents, committed);
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
    if (committed) {
      apply(change, view, name, intent.get());
    }
    release(change, concerned.directory().child(name), intent.get(), stored, id);
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

  private static void collect(
      DirectoryPage page,
      String id,
      Map<String, WriteIntent> intents,
      Map<String, byte[]> storedIntents)
      throws IOException {
    for (Map.Entry<String, byte[]> entry : page.entries().entrySet()) {
      String name = IndexKeys.nameOf(entry.getKey());
      WriteIntent intent =
          WriteIntent.decode(page.view().directory().child(name), entry.getValue());
      if (intent.isBy(id)) {
        intents.put(name, intent);
        storedIntents.put(name, entry.getValue());
      }
    }
  }

  /** About how many bytes an operation carries to resolve an intent. */
  private static long bytes(WriteIntent intent, byte[] stored, boolean committed) {
    boolean isSet = committed || intent.kind() == WriteIntent.Kind.MAKE_DIRECTORY;
    return isSet ? KEYS_AND_LISTING + 2L * stored.length : KEYS_AND_LISTING;
  }

  private static boolean needsEntries(Map<String, WriteIntent> intents, boolean committed) {
    return committed
        && intents.values().stream().anyMatch(intent -> intent.kind() != WriteIntent.Kind.ADD);
  }

  private void apply(IndexChange change, DirectoryView entries, String name, WriteIntent intent)
      throws IOException {
    String key = IndexKeys.entry(name);
    FsPath path = entries.directory().child(name);
    switch (intent.kind()) {
      case ADD -> change.set(key, intent.storedEntry(path));
      case REPLACE -> {
        defer(change, entries, name, intent);
        change.set(key, intent.storedEntry(path));
      }
      case REMOVE -> {
        defer(change, entries, name, intent);
        change.remove(key);
      }
      case MOVE_AWAY -> change.remove(key);
      case MAKE_DIRECTORY -> {
        Optional<byte[]> there = entries.storedEntry(name);
        change.expect(key, there);
        if (there.isEmpty()) {
          change.set(key, intent.storedEntry(path));
        }
      }
    }
  }

  private void defer(IndexChange change, DirectoryView entries, String name, WriteIntent intent)
      throws IOException {
    Entry removed =
        entries
            .entry(name)
            .filter(entry -> intent.removed().filter(entry.uid()::equals).isPresent())
            .orElseThrow(
                () ->
                    new LayoutException(
                        "directory "
                            + entries.directory()
                            + " has an intent to remove '"
                            + name
                            + "', but not the entry that it names"));
    change.defer(retention.replaced(entries.directory().child(name), removed));
  }

  /** A directory that several transactions make is held until the last of them is resolved. */
  private static void release(
      IndexChange change, FsPath path, WriteIntent intent, byte[] stored, String id) {
    String key = IndexKeys.intent(path.name());
    if (intent.kind() == WriteIntent.Kind.MAKE_DIRECTORY) {
      change.expect(key, stored);
    }
    intent
        .without(id)
        .ifPresentOrElse(rest -> change.set(key, rest.encode(path)), () -> change.remove(key));
  }

  /** Fails unless the head is locked: a mark for the whole comes and goes with the lock. */
  private static void requireLocked(DirectoryView view, String id) throws IOException {
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
              + " of it by: rados -p <pool> rmomapkey '"
              + view.object()
              + "' '"
              + key
              + "'");
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

  /** Whether an index that an aborted transaction made leads to nothing but what is its own. */
  private static boolean isUnused(IndexLeads leads, String id, Map<String, WriteIntent> own)
      throws IOException {
    Set<String> marks = new HashSet<>();
    marks.add(IndexKeys.transaction(id));
    own.forEach(
        (name, intent) -> {
          if (intent.transactions().size() == 1) {
            marks.add(IndexKeys.intent(name));
          }
        });
    return leads.isNothingBut(marks);
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
