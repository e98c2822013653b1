// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.commit.EachJobOnce;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.directory.MadeIndexes;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.removal.Removals;
import io.radosfs.connector.transaction.rename.Recovery;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes directories. One write, guarded with what was read, marks the index as closing. From that
 * instant the directory reads as empty. Then its entry, its files' data and the index are removed.
 * A directory with shards is removed by a transaction ({@link Removals}).
 */
public final class DirectoryDeletion {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryDeletion.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final ClosingDirectories closingDirectories;
  private final StoredChildren storedChildren;
  private final ProcessLedger ledger;
  private final Recovery recovery;
  private final Removals removals;

  public DirectoryDeletion(
      Indexes indexes,
      VisibleIndex visible,
      ClosingDirectories closingDirectories,
      StoredChildren storedChildren,
      ProcessLedger ledger,
      Recovery recovery,
      Removals removals) {
    this.indexes = indexes;
    this.visible = visible;
    this.closingDirectories = closingDirectories;
    this.storedChildren = storedChildren;
    this.ledger = ledger;
    this.recovery = recovery;
    this.removals = removals;
  }

  /**
   * Removes the directory that had this uid when the path was read, with all below it.
   *
   * @param recursive whether it may have children
   * @param names with one wait, for the directories below too
   * @return false if another directory, or nothing, is at the path by now
   */
  boolean remove(FsPath directory, Uid uid, boolean recursive, FreeNames names) throws IOException {
    return remove(new OneRemoval(directory, uid, recursive, Optional.empty(), names));
  }

  /**
   * Removes an empty directory if it has this uid and no transaction but this one is at work in it.
   *
   * @return false if it stays, or was gone
   */
  boolean removeUnused(FsPath directory, Uid uid, String transaction, FreeNames names)
      throws IOException {
    return remove(new OneRemoval(directory, uid, false, Optional.of(transaction), names));
  }

  private boolean remove(OneRemoval removal) throws IOException {
    try {
      boolean removed = indexes.retries().run("deletion of " + removal.directory, removal::attempt);
      if (removed) {
        removal.removeEntry();
        afterDeletion(FOLLOW_UP, removal.directory, removal::clear);
      } else {
        removal.takeBack();
      }
      return removed;
    } finally {
      removal.made.leave();
    }
  }

  /**
   * Removes the objects of what is deleted. A failure does not undo the deletion: what is not
   * removed now stays listed.
   */
  static void afterDeletion(FollowUp followUp, FsPath path, InvocationRaisingIOE cleanup) {
    followUp.quietly(
        path + " is deleted",
        "objects of it that are still there are removed by the next change there, or radosfs gc",
        cleanup);
  }

  /**
   * The removal of the directory that had this uid when the path was read. By the time its index is
   * read, it may be gone, and another directory be there. So the entry is read once more after the
   * index, and the index is closed only if it is as it was read. Then the closed index is this
   * directory's. No index passes unchanged from one directory to another at its path: a removal
   * closes it, and a rename locks it, before the entry goes, and it is opened only for an entry
   * that is there. The second read costs nothing: the entry is then removed with what it has found.
   */
  private final class OneRemoval {

    private final FsPath directory;
    private final Uid uid;
    private final boolean recursive;

    /** If there is one, the directory is removed only if no other transaction is at work in it. */
    private final Optional<String> onlyUser;

    /** With one wait, for the directories below too. */
    private final FreeNames names;

    private final EachJobOnce registered = new EachJobOnce(recovery);
    private final MadeIndexes made;
    private Optional<DirectoryView> parent = Optional.empty();

    /** Whether the index was seen closing: it goes with the directory, whoever made it. */
    private boolean closed;

    /** Whether the decision of a transaction has removed the entry. */
    private boolean decided;

    /** The index object that lists the directory for deletion; empty while the entry is there. */
    private Optional<IndexObject> listing = Optional.empty();

    OneRemoval(
        FsPath directory, Uid uid, boolean recursive, Optional<String> onlyUser, FreeNames names) {
      this.directory = directory;
      this.uid = uid;
      this.recursive = recursive;
      this.onlyUser = onlyUser;
      this.names = names;
      this.made = new MadeIndexes(indexes.writer(), ledger, directory);
    }

    /**
     * Removes the entry of the directory, which reads as empty. It is no clean-up: a caller that is
     * told that a directory is deleted must not see it again.
     */
    void removeEntry() throws IOException {
      if (decided) {
        return;
      }
      try {
        listing = Optional.of(closingDirectories.removeEntry(directory, uid, parent));
      } catch (InterruptedIOException | OutcomeUnknownException e) {
        throw e;
      } catch (IOException e) {
        throw new OutcomeUnknownException(
            "deletion of "
                + directory
                + " has removed all that was in it, but not its entry in "
                + directory.parent()
                + ", where it is seen, empty, until the next change there: delete it again",
            e);
      }
    }

    /** Removes indexes that were made in vain: the path has another directory by now, or none. */
    void takeBack() {
      FOLLOW_UP.quietly(
          directory + " is not deleted, as another directory or none is there by now",
          "an index that was made for it in vain is removed by radosfs gc",
          made::takeBack);
    }

    void clear() throws IOException {
      if (listing.isPresent()) {
        closingDirectories.clear(directory, uid, listing.get());
      } else {
        closingDirectories.finish(directory, uid);
      }
      if (closed) {
        made.crossOut();
      } else {
        made.takeBack();
      }
    }

    /**
     * Returns true if the directory is closing under this uid, or removed; false if it is not at
     * the path any more; empty if it must be tried again.
     *
     * @param mayBeClosed whether this removal may be what removed the directory
     */
    Optional<Boolean> attempt(boolean mayBeClosed) throws IOException {
      Map<String, DirectoryPage> pages =
          indexes
              .reader()
              .pages(
                  directory,
                  Set.of(),
                  Map.of(
                      IndexKeys.ENTRY_PREFIX, "",
                      IndexKeys.INTENT_PREFIX, "",
                      IndexKeys.TRANSACTION_PREFIX, "",
                      IndexKeys.TRANSACTION_STATUS_PREFIX, ""));
      DirectoryPage entries = pages.get(IndexKeys.ENTRY_PREFIX);
      DirectoryView view = entries.view();
      Optional<IndexHead> head = view.head();
      if (head.isEmpty()) {
        if (!isThere()) {
          return Optional.of(mayBeClosed);
        }
        // The index is closed once the entry was seen after it was made: before that, a client that
        // has seen no index may have renamed the directory.
        boolean unused = indexes.writer().applyUnseen(made.begin().evenIfFull());
        return Optional.empty();
      }
      if (head.get().is(IndexHead.State.CLOSING)) {
        if (head.get().tag().equals(uid.value())) {
          closed = true;
          return Optional.of(true);
        }
        closingDirectories.finish(directory, new Uid(head.get().tag()));
        return Optional.empty();
      }
      if (mayBeClosed && !isThere()) {
        // What is here may be another directory's, which is not to be touched.
        return Optional.of(true);
      }
      if (onlyUser.isPresent() && isUsed(pages, head.get())) {
        return Optional.of(false);
      }
      if (head.get().isBusy()) {
        names.view(directory, Set.of());
        return Optional.empty();
      }
      Set<String> transactions = pages.get(IndexKeys.TRANSACTION_PREFIX).transactions();
      if (!transactions.isEmpty()) {
        names.resolveOrWait(view.index(), transactions);
        return Optional.empty();
      }
      DirectoryPage intents = pages.get(IndexKeys.INTENT_PREFIX);
      if (!view.isSharded() && !intents.entries().isEmpty()) {
        names.requireMarks(intents);
        return Optional.empty();
      }
      if (!recursive && hasChildren(entries)) {
        // Before what others have registered here is ended: they go on.
        throw new PathIsNotEmptyDirectoryException(directory.toString());
      }
      if (!pages.get(IndexKeys.TRANSACTION_STATUS_PREFIX).entries().isEmpty()) {
        // A rename decided here may not be resolved at its source yet, nor a job in a directory
        // elsewhere. Without the status record nobody would find them.
        recovery.recover(directory, registered);
      }
      Map<String, Entry.OfDirectory> below =
          recursive ? storedChildren.directories(entries) : Map.of();
      for (var child : below.entrySet()) {
        // If another directory is there by now, the next try finds it.
        FsPath path = directory.child(child.getKey());
        boolean unused = remove(path, child.getValue().uid(), true, names);
      }
      if (view.isSharded()) {
        return removeSharded(mayBeClosed);
      }
      if (!below.isEmpty()) {
        return Optional.empty();
      }
      Optional<Entry> there = entry();
      if (there.isEmpty()) {
        return Optional.of(mayBeClosed);
      }
      IndexChange closing =
          IndexChange.of(directory, head.get())
              .expectUnchanged(view)
              .head(head.get().closingAs(uid))
              .transactional();
      if (head.get().is(IndexHead.State.OPENING)
          && there.get() instanceof Entry.OfDirectory unopened) {
        // A closed index has the directory's layout, as long as the entry is there.
        closing.layout(view.layout(), unopened.layout());
      }
      return close(closing);
    }

    /** Whether the index has anything but the status record of the only user. */
    private boolean isUsed(Map<String, DirectoryPage> pages, IndexHead head) {
      Set<String> keys = new HashSet<>();
      pages.values().forEach(page -> keys.addAll(page.entries().keySet()));
      keys.remove(IndexKeys.transactionStatus(onlyUser.orElseThrow()));
      return !keys.isEmpty()
          || head.isSharded()
          || !(head.is(IndexHead.State.OPEN) || head.is(IndexHead.State.OPENING));
    }

    private boolean isThere() throws IOException {
      return entry().isPresent();
    }

    /** The directory's entry, if it is still at its path. One read. */
    private Optional<Entry> entry() throws IOException {
      String name = directory.name();
      DirectoryView view = names.view(directory.parent(), List.of(name));
      parent = Optional.of(view);
      Optional<Entry> entry = view.isOpen() ? view.entry(name) : Optional.empty();
      return entry.filter(found -> found.uid().equals(uid));
    }

    /** If the outcome is unknown, the next try finds the directory closing, or gone. */
    private Optional<Boolean> close(IndexChange closing) throws IOException {
      closed = indexes.writer().applyOrLookAgain(closing);
      return closed ? Optional.of(true) : Optional.empty();
    }

    /** The removal checks the entry's uid again after it has locked the directory's objects. */
    private Optional<Boolean> removeSharded(boolean mayBeClosed) throws IOException {
      try {
        removals.remove(directory, uid, !recursive);
        decided = true;
        return Optional.of(true);
      } catch (PathIsNotEmptyDirectoryException e) {
        throw e;
      } catch (TransactionAbortedException | PathIOException | FileNotFoundException e) {
        LOG.debug("others were at {}, which is looked at again", directory, e);
        return isThere() ? Optional.empty() : Optional.of(mayBeClosed);
      }
    }
  }

  /**
   * Whether a directory has children. What is stored in shards may be gone by a transaction that is
   * not resolved yet. The removal looks again, once it has locked the shards.
   */
  private boolean hasChildren(DirectoryPage first) throws IOException {
    return first.view().isSharded()
        ? visible.children(first.view().directory()).hasNext()
        : !first.entries().isEmpty();
  }
}
