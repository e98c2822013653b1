// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Finishes the removal of directories whose index is closing: removes the entry in the directory
 * above, and lists the directory there in the same operation; then what the index holds, and the
 * index. Who meets such an index finishes its removal before going on. Any client can repeat each
 * step, as those of {@link DeferredDeletions}.
 */
public final class ClosingDirectories {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final ListedData listedData;

  public ClosingDirectories(
      Indexes indexes,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      ListedData listedData) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.deferredDeletions = deferredDeletions;
    this.listedData = listedData;
  }

  /**
   * Finishes the removal of a directory whose index is closing: removes its entry in the parent,
   * then the data of its files, then the index. Costs what {@link #removeEntry} and {@link #clear}
   * do.
   *
   * @param uid of the directory, as in the closing head
   */
  public void finish(FsPath directory, Uid uid) throws IOException {
    clear(directory, uid, removeEntry(directory, uid, Optional.empty()));
  }

  /**
   * The same for a transaction, which may itself hold the directory's name, or have locked the
   * directory above. Costs a read more.
   *
   * @param own views for that transaction
   * @return false if it holds the entry of the directory, which must stay: nothing was changed
   */
  public boolean finishFor(FreeNames own, FsPath directory, Uid uid) throws IOException {
    String name = directory.name();
    DirectoryView parent = own.view(directory.parent(), List.of(name));
    boolean entered = parent.entry(name).filter(entry -> entry.uid().equals(uid)).isPresent();
    boolean held =
        parent.intent(name).isPresent()
            || parent.head().filter(head -> head.is(IndexHead.State.FROZEN)).isPresent();
    if (entered && held) {
      return false;
    }
    IndexObject listing =
        entered ? removeEntry(directory, uid, Optional.of(parent)) : parent.index();
    clear(directory, uid, listing);
    return true;
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
   * Deletes the data and the index of a closing directory whose entry is gone. Costs what {@link
   * DeferredDeletions} does for an index, and one write.
   *
   * @param listing what {@link #removeEntry} has returned
   */
  public void clear(FsPath directory, Uid uid, IndexObject listing) throws IOException {
    deferredDeletions.deleteIndex(directory, uid);
    listedData.forget(listing, new DeferredDeletion.OfDirectory(directory, uid));
  }
}
