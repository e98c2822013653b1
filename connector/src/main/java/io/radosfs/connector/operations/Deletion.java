package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.Moves;
import io.radosfs.connector.transaction.Removals;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionParts;
import io.radosfs.connector.transaction.VisibleChild;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files and directories.
 *
 * <p>A file: one write removes the entry and lists the data, which is deleted after. A directory:
 * its index is marked as closing, in a write guarded with what was read of it, and from that
 * instant it reads as empty; then its entry, its files' data and the index go. A directory with
 * shards goes by a transaction ({@link Removals}).
 */
final class Deletion {

  private static final Logger LOG = LoggerFactory.getLogger(Deletion.class);
  private static final int MAX_TRIES = 200;

  private final TransactionParts parts;
  private final Moves moves;
  private final Removals removals;

  Deletion(TransactionParts parts, Moves moves, Removals removals) {
    this.parts = parts;
    this.moves = moves;
    this.removals = removals;
  }

  boolean delete(FsPath path, boolean recursive) throws IOException {
    String name = path.name();
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView view = parts.freeNames().view(path.parent(), List.of(name));
      Optional<Entry> entry = view.isOpen() ? view.entry(name) : Optional.empty();
      if (entry.isEmpty()) {
        return false;
      }
      if (entry.get() instanceof Entry.OfDirectory) {
        removeDirectory(path, entry.get().uid(), recursive);
        return true;
      }
      if (removeFile(path, (Entry.OfFile) entry.get(), view)) {
        return true;
      }
    }
    throw contended(path);
  }

  private static IOException contended(FsPath path) {
    return new IOException(path + " keeps changing and could not be deleted; try again");
  }

  private boolean removeFile(FsPath path, Entry.OfFile file, DirectoryView view)
      throws IOException {
    boolean removed =
        parts
            .writer()
            .apply(
                IndexChange.of(view)
                    .expectFree(path.name(), view.storedEntry(path.name()))
                    .remove(IndexKeys.entry(path.name()))
                    .set(IndexKeys.reclaim(file.uid()), Reclaim.of(path, file).encode()));
    if (removed) {
      afterwards(path, () -> parts.reclaimer().reclaim(view.index(), file.data()));
    }
    return removed;
  }

  /** What follows the deletion does not undo it: what is not deleted now stays listed. */
  private static void afterwards(FsPath path, Cleanup cleanup) {
    try {
      cleanup.run();
    } catch (IOException e) {
      LOG.warn("{} is deleted, but some of its objects are still to be", path, e);
    }
  }

  @FunctionalInterface
  private interface Cleanup {
    void run() throws IOException;
  }

  /** Removes all children of the root, which itself stays. */
  void clearRoot() throws IOException {
    for (VisibleChild child : parts.visible().list(FsPath.ROOT)) {
      delete(child.path(), true);
    }
  }

  private void removeDirectory(FsPath directory, Uid uid, boolean recursive) throws IOException {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < MAX_TRIES; i++) {
      if (tryToClose(directory, uid, recursive, made)) {
        afterwards(
            directory,
            () -> {
              parts.reclaimer().finishRemoval(directory, uid);
              made.forEach(parts.ledger()::settle);
            });
        return;
      }
    }
    throw contended(directory);
  }

  /**
   * Answers whether the directory now is closing under this uid; false to look again.
   *
   * @param made takes the ledger's keys of indexes that are made closing: somebody else may have
   *     removed the directory, so that nothing else leads to them
   */
  private boolean tryToClose(FsPath directory, Uid uid, boolean recursive, List<String> made)
      throws IOException {
    Map<String, DirectoryPage> pages =
        parts
            .reader()
            .pages(
                directory,
                Set.of(),
                Map.of(
                    IndexKeys.ENTRY_PREFIX, "",
                    IndexKeys.TRANSACTION_PREFIX, "",
                    IndexKeys.DECISION_PREFIX, ""));
    DirectoryPage entries = pages.get(IndexKeys.ENTRY_PREFIX);
    DirectoryView view = entries.view();
    Optional<IndexHead> head = view.head();
    if (head.isEmpty()) {
      made.add(parts.ledger().beginIndex(directory));
      return parts
          .writer()
          .applyOrLookAgain(IndexChange.creating(directory, IndexHead.closing(uid)));
    }
    if (head.get().is(IndexHead.State.CLOSING)) {
      if (head.get().tag().equals(uid.value())) {
        return true;
      }
      parts.reclaimer().finishRemoval(directory, new Uid(head.get().tag()));
      return false;
    }
    if (head.get().is(IndexHead.State.FROZEN) || head.get().is(IndexHead.State.SPLITTING)) {
      parts.freeNames().view(directory, Set.of());
      return false;
    }
    Set<String> transactions = new HashSet<>();
    pages
        .get(IndexKeys.TRANSACTION_PREFIX)
        .entries()
        .keySet()
        .forEach(key -> transactions.add(IndexKeys.transactionOf(key)));
    if (!transactions.isEmpty()) {
      parts.freeNames().settleOrWait(view.index(), transactions);
      return false;
    }
    if (!recursive && !view.isSharded() && !entries.entries().isEmpty()) {
      throw new PathIsNotEmptyDirectoryException(directory.toString());
    }
    if (!pages.get(IndexKeys.DECISION_PREFIX).entries().isEmpty()) {
      // A rename decided here may not be settled at its source yet, nor a job at a location
      // elsewhere, which would then be lost sight of.
      moves.recover(directory);
    }
    Map<FsPath, Uid> below = directoriesIn(entries, recursive);
    for (Map.Entry<FsPath, Uid> child : below.entrySet()) {
      removeDirectory(child.getKey(), child.getValue(), true);
    }
    if (view.isSharded()) {
      return removeSharded(directory, uid, recursive);
    }
    return below.isEmpty()
        && parts
            .writer()
            .applyOrLookAgain(
                IndexChange.of(directory, head.get())
                    .expectUnchanged(view)
                    .head(head.get().closingAs(uid))
                    .transactional());
  }

  /** Answers false when it must be looked at again. */
  private boolean removeSharded(FsPath directory, Uid uid, boolean recursive) throws IOException {
    try {
      removals.remove(directory, uid, !recursive);
      return true;
    } catch (PathIsNotEmptyDirectoryException e) {
      throw e;
    } catch (TransactionAbortedException | PathIOException | FileNotFoundException e) {
      LOG.debug("others were at {}, which is looked at again", directory, e);
      return false;
    }
  }

  private Map<FsPath, Uid> directoriesIn(DirectoryPage first, boolean recursive)
      throws IOException {
    Map<FsPath, Uid> directories = new LinkedHashMap<>();
    FsPath top = first.view().directory();
    if (first.view().isSharded()) {
      parts
          .storedChildren()
          .visit(
              top,
              (name, entry) -> {
                if (!recursive) {
                  throw new PathIsNotEmptyDirectoryException(top.toString());
                }
                if (entry instanceof Entry.OfDirectory directory) {
                  directories.put(top.child(name), directory.uid());
                }
              });
      return directories;
    }
    DirectoryPage page = first;
    while (true) {
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        FsPath path = first.view().directory().child(IndexKeys.nameOf(stored.getKey()));
        if (EntryCodec.decode(path, stored.getValue()) instanceof Entry.OfDirectory directory) {
          directories.put(path, directory.uid());
        }
      }
      if (!page.more()) {
        return directories;
      }
      page = parts.reader().page(first.view().directory(), IndexKeys.ENTRY_PREFIX, page.lastKey());
    }
  }
}
