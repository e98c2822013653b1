// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexLeads;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes index objects that dead processes have made and that nothing leads to. It reads the
 * object, then whatever might lead to it, and removes the object if it has not changed since. May
 * stop anywhere and be repeated, and several may run at a time.
 */
final class IndexCollector {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final ClosingDirectories closingDirectories;
  private final CollectionLog log;

  IndexCollector(
      Indexes indexes,
      FreeNames freeNames,
      ClosingDirectories closingDirectories,
      CollectionLog log) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.closingDirectories = closingDirectories;
    this.log = log;
  }

  /**
   * Removes the index objects that a line of a ledger names, unless something leads to them.
   *
   * @param key of the line
   * @return false if a later collection must look again
   */
  boolean remove(String key, LedgerEntry entry) throws IOException {
    if (entry instanceof LedgerEntry.NewShards made) {
      removeShards(made);
      return true;
    }
    return removeIndex(key, ((LedgerEntry.NewIndex) entry).directory());
  }

  /**
   * Removes shards that a process made after other clients had finished its split. They are still
   * filling, and the head object, which is read after them, does not name them any more.
   */
  private void removeShards(LedgerEntry.NewShards made) throws IOException {
    FsPath directory = made.directory();
    Map<IndexObject, IndexHead> waiting = new HashMap<>();
    for (IndexObject shard : made.shards().of(directory)) {
      indexes
          .reader()
          .keys(shard, List.of())
          .head()
          .filter(head -> head.is(IndexHead.State.FILLING))
          .ifPresent(head -> waiting.put(shard, head));
    }
    Optional<IndexHead> head = indexes.reader().keys(directory, List.of()).head();
    if (head.filter(IndexHead.OPEN.splittingInto(made.shards())::equals).isPresent()) {
      return;
    }
    for (Map.Entry<IndexObject, IndexHead> shard : waiting.entrySet()) {
      // An unknown outcome must be an error here, so that the line stays.
      if (indexes.writer().apply(IndexChange.of(shard.getKey(), shard.getValue()).removeIndex())) {
        log.removedIndex(directory);
      }
    }
  }

  /**
   * Removes an index that a process made for a directory that does not exist. A client that is
   * about to change it looks again, and a missing index reads as empty. Returns false if a later
   * collection must look again.
   */
  private boolean removeIndex(String key, FsPath directory) throws IOException {
    return indexes
        .retries()
        .run("removal of the index of " + directory, () -> tryToRemoveIndex(key, directory));
  }

  private Optional<Boolean> tryToRemoveIndex(String key, FsPath directory) throws IOException {
    Optional<IndexHead> found = indexes.reader().keys(directory, List.of()).head();
    if (found.isEmpty()) {
      return Optional.of(true);
    }
    IndexHead head = found.get();
    if (head.is(IndexHead.State.CLOSING)) {
      closingDirectories.finish(directory, new Uid(head.tag()));
      return Optional.of(true);
    }
    if (head.is(IndexHead.State.FROZEN) || head.is(IndexHead.State.OPENING)) {
      // Who made it, or locked it, and whoever has prepared something in it: nothing else leads to
      // that of a client that died.
      freeNames.resolveDecided(IndexObject.head(directory));
    }
    IndexLeads leads = IndexLeads.read(indexes.reader(), IndexObject.head(directory));
    DirectoryView view = leads.view();
    if (view.head().isEmpty()) {
      return Optional.of(true);
    }
    // The parent is read after the index: the removal is guarded with the index as read.
    if (isDirectory(directory)) {
      return Optional.of(true);
    }
    if (!leads.isNothingBut(Set.of()) || view.head().get().is(IndexHead.State.FROZEN)) {
      log.stillUsed(key, directory);
      return Optional.of(false);
    }
    if (indexes
        .writer()
        .applyUnseen(
            IndexChange.of(directory, view.head().get()).expectUnchanged(view).removeIndex())) {
      log.removedIndex(directory);
      return Optional.of(true);
    }
    return Optional.empty();
  }

  private boolean isDirectory(FsPath directory) throws IOException {
    DirectoryView parent = indexes.router().name(directory.parent(), directory.name());
    Optional<Entry> entry = parent.entry(directory.name());
    return parent.intent(directory.name()).isPresent()
        || entry.filter(Entry.OfDirectory.class::isInstance).isPresent();
  }
}
