// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The overwrite lock of a directory, for transactions decided there that replace much: a key in the
 * directory's index, see {@link LockHolder}. The lock ends with the decision, whoever makes it, and
 * need not be released.
 *
 * <p>Two transactions may replace what is in one directory although one is decided there, or above,
 * and the other further above. Whoever takes a lock asks for it first, then looks whether a
 * directory above is locked, and only then holds it. Whoever has the lock further above looks at
 * the lock of each directory where the other may be decided, before it looks at what it replaces
 * ({@link OtherOverwrites}). So at least one of the two sees the other. The one further above waits
 * for whoever has asked. The one below waits while it does not hold the lock yet, and takes back
 * what it has asked for: they never wait for each other.
 *
 * <p>A transaction may also replace what is in directories outside its coordinator's tree. It takes
 * the lock of each of these as well, in the order of their paths, as if it were decided there. The
 * directory is made if it is missing, as the commit would make it: so those that are decided there,
 * or below, find the lock whenever they come. It keeps the locks that it has while it waits for
 * more: another driver of it may be working under them. So it and whoever has the lock of a
 * directory above two of them may wait for each other, until one of them gives up.
 */
public final class OverwriteLock {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final TransactionStatuses statuses;
  private final OpenIndexes openIndexes;
  private final Attributes newDirectories;

  /**
   * @param newDirectories attributes of directories that are made to be locked
   */
  public OverwriteLock(
      Indexes indexes,
      FreeNames freeNames,
      TransactionStatuses statuses,
      OpenIndexes openIndexes,
      Attributes newDirectories) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.statuses = statuses;
    this.openIndexes = openIndexes;
    this.newDirectories = newDirectories;
  }

  /**
   * @param elsewhere see {@link io.radosfs.connector.transaction.Transactions#takeOverwriteLock}
   * @return whether it did not have them all
   */
  boolean take(Registration registration, Collection<FsPath> elsewhere) throws IOException {
    BoundedBackoff backoff = freeNames.backoff();
    boolean taken = false;
    for (LockedDirectory lock : LockedDirectory.of(registration, elsewhere)) {
      taken |=
          indexes
              .retries()
              .run(
                  "the wait of transaction "
                      + registration.id()
                      + " for the overwrite lock of directory "
                      + lock.directory(),
                  () -> tryToTake(lock, backoff));
    }
    backoff.ended();
    return taken;
  }

  /**
   * Returns whether it is taken by this, or was before; empty if it must be looked at again, as
   * others were faster, or are ended.
   */
  private Optional<Boolean> tryToTake(LockedDirectory lock, BoundedBackoff backoff)
      throws IOException {
    FsPath directory = lock.directory();
    String status = IndexKeys.transactionStatus(lock.registration().id());
    DirectoryView view =
        indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK, status));
    Optional<IndexHead> head = view.head();
    if (head.filter(IndexHead::isBusy).isPresent()) {
      // Others are about to split, move or remove the directory, and may not come to it.
      DirectoryView unused = freeNames.viewOfHead(directory, List.of(), List.of());
      return Optional.empty();
    }
    LockHolder own = lock.holding();
    Optional<LockHolder> holder = holder(view);
    if (!isPending(lock, view) || holder.filter(own::equals).isPresent()) {
      return Optional.of(false); // or it is decided: the commit will say so
    }
    if (!view.isOpen()) {
      if (!lock.isElsewhere()) {
        return Optional.of(false); // it is removed: the commit will say so
      }
      openIndexes.open(directory, newDirectories);
      return Optional.empty();
    }
    // What another driver of this transaction has asked for is taken over.
    Optional<LockHolder> other = holder.filter(h -> !h.isSameTransaction(own));
    if (other.isPresent() && pending(other.get(), directory).isPresent()) {
      boolean unused = await(other.get(), directory, lock, backoff);
      return Optional.empty();
    }
    LockHolder asking = own.newlyAsking();
    boolean hasAsked =
        indexes
            .writer()
            .applyUnseen(
                IndexChange.of(view)
                    .expect(status, view.value(status))
                    .expect(IndexKeys.OVERWRITE_LOCK, view.value(IndexKeys.OVERWRITE_LOCK))
                    .set(IndexKeys.OVERWRITE_LOCK, asking.encode()));
    return hasAsked && hold(asking, view, lock, backoff) ? Optional.of(true) : Optional.empty();
  }

  /**
   * @param view of the directory, with the transaction's status if it is decided there
   */
  private boolean isPending(LockedDirectory lock, DirectoryView view) throws IOException {
    return lock.isElsewhere()
        ? pending(lock.holding(), lock.directory()).isPresent()
        : TransactionStatuses.in(view, lock.registration().id())
            .filter(s -> s.is(TransactionStatus.State.PENDING))
            .isPresent();
  }

  /** Holds the lock that was asked for, unless a directory above is locked: that is waited for. */
  private boolean hold(
      LockHolder asking, DirectoryView view, LockedDirectory lock, BoundedBackoff backoff)
      throws IOException {
    for (FsPath above = lock.directory(); !above.isRoot(); ) {
      above = above.parent();
      Optional<LockHolder> holder = inTheWay(above, lock);
      if (holder.isPresent()) {
        // Else whoever is above waits for what is left of it here.
        if (indexes
            .writer()
            .applyUnseen(releasing(lock.directory(), view.head().orElseThrow(), asking.encode()))) {
          boolean unused = await(holder.get(), above, lock, backoff);
        }
        return false;
      }
    }
    return indexes
        .writer()
        .applyUnseen(
            IndexChange.of(view)
                .expect(IndexKeys.OVERWRITE_LOCK, asking.encode())
                .set(IndexKeys.OVERWRITE_LOCK, lock.holding().encode()));
  }

  /**
   * Who has the lock, or asks for it. A directory that is being removed has no commits any more.
   */
  static Optional<LockHolder> holder(DirectoryView view) throws IOException {
    boolean isThere = view.head().filter(head -> !head.is(IndexHead.State.CLOSING)).isPresent();
    return view.value(IndexKeys.OVERWRITE_LOCK).filter(lock -> isThere).map(LockHolder::decode);
  }

  /** The lock of a transaction that is forgotten, or unknown, means nothing. */
  private Optional<TransactionStatus> pending(LockHolder holder, FsPath directory)
      throws IOException {
    return statuses
        .record(holder.transaction(), holder.coordinator(directory))
        .filter(status -> status.is(TransactionStatus.State.PENDING));
  }

  /**
   * The undecided transaction that has a directory's lock, or has asked for it, if it may replace
   * what another one does, too. One read if there is none.
   */
  private Optional<LockHolder> inTheWay(FsPath directory, LockedDirectory waiting)
      throws IOException {
    Optional<LockHolder> holder =
        holder(indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK)));
    boolean isInTheWay =
        holder.isPresent()
            && pending(holder.get(), directory)
                .filter(status -> mayMeet(holder.get(), directory, status.owner(), waiting))
                .isPresent();
    return holder.filter(any -> isInTheWay);
  }

  /** Whether a transaction is undecided, and replaces nothing that another one does. */
  boolean isBeside(LockHolder holder, FsPath directory, LockedDirectory other) throws IOException {
    return pending(holder, directory)
        .filter(status -> !mayMeet(holder, directory, status.owner(), other))
        .isPresent();
  }

  /**
   * A job whose destination was a file is decided in the directory of that, and replaces nothing
   * beside it. Nobody waits for what is locked for itself.
   */
  private static boolean mayMeet(
      LockHolder holder, FsPath directory, String owner, LockedDirectory other) {
    Registration registration = other.registration();
    if (holder.transaction().equals(registration.id())
        && holder.coordinator(directory).equals(registration.coordinator())) {
      return false;
    }
    Optional<FsPath> replacing = LockedDirectory.replaced(holder, directory, owner);
    Optional<FsPath> waiting = other.replaced();
    return replacing.isEmpty()
        || waiting.isEmpty()
        || replacing.get().isAtOrBelow(waiting.get())
        || waiting.get().isAtOrBelow(replacing.get());
  }

  /**
   * Waits until another transaction is decided, or has taken back what it asked for. One read for
   * each look, two where it is decided elsewhere. Each that is decided is progress, so whoever has
   * the lock next is waited for anew.
   *
   * @return whether it is decided, or unknown
   */
  boolean await(
      LockHolder holder, FsPath directory, LockedDirectory waiting, BoundedBackoff backoff)
      throws IOException {
    String key = IndexKeys.transactionStatus(holder.transaction());
    while (true) {
      DirectoryView view = indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK, key));
      boolean isLocked = holder(view).filter(holder::isSameTransaction).isPresent();
      Optional<TransactionStatus> pending =
          holder.elsewhere().isPresent()
              ? pending(holder, directory)
              : TransactionStatuses.in(view, holder.transaction())
                  .filter(status -> status.is(TransactionStatus.State.PENDING));
      if (pending.isEmpty()) {
        backoff.decided();
        return true;
      }
      if (!isLocked) {
        backoff.ended();
        return false;
      }
      if (!backoff.pause()) {
        throw conflict(waiting, directory, holder.transaction(), pending.get(), backoff);
      }
    }
  }

  private static TransactionConflictException conflict(
      LockedDirectory waiting,
      FsPath directory,
      String holder,
      TransactionStatus status,
      BoundedBackoff backoff) {
    String where =
        directory.equals(waiting.directory())
            ? ""
            : ", which transaction "
                + waiting.registration().id()
                + " in "
                + waiting.registration().coordinator()
                + " waits for,";
    return new TransactionConflictException(
        "directory "
            + directory
            + where
            + " is being replaced, or indexes of it, by another transaction, "
            + holder
            + " of "
            + status.owner()
            + ", which is neither committed nor aborted after "
            + backoff
            + " (fs.rados.transaction.wait). "
            + TransactionConflictException.remedy(holder));
  }

  /**
   * Waits while another transaction has the lock of a directory, or has asked for it. One read if
   * none has.
   */
  void awaitOthers(FsPath directory, LockedDirectory waiting, BoundedBackoff backoff)
      throws IOException {
    Optional<LockHolder> holder = inTheWay(directory, waiting);
    if (holder.isPresent()) {
      boolean unused = await(holder.get(), directory, waiting, backoff);
    }
  }

  OverwriteGuard guard(Registration registration, Collection<FsPath> elsewhere) {
    return new OtherOverwrites(
        this, LockedDirectory.of(registration, elsewhere), freeNames.backoff());
  }

  /** Does nothing if another has the lock by now. What is left of an ended lock means nothing. */
  void release(Registration registration, Collection<FsPath> elsewhere) throws IOException {
    for (LockedDirectory lock : LockedDirectory.of(registration, elsewhere)) {
      release(lock);
    }
  }

  private void release(LockedDirectory lock) throws IOException {
    FsPath directory = lock.directory();
    LockHolder own = lock.holding();
    if (indexes
        .writer()
        .applyUnseen(releasing(directory, indexes.router().open(directory), own.encode()))) {
      return;
    }
    DirectoryView view = indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK));
    indexes.router().saw(view);
    if (view.isOpen() && holder(view).filter(own::isSameTransaction).isPresent()) {
      byte[] stored = view.value(IndexKeys.OVERWRITE_LOCK).orElseThrow();
      boolean unused =
          indexes.writer().applyUnseen(releasing(directory, view.head().orElseThrow(), stored));
    }
  }

  private static IndexChange releasing(FsPath directory, IndexHead head, byte[] stored) {
    return IndexChange.of(directory, head)
        .expect(IndexKeys.OVERWRITE_LOCK, stored)
        .remove(IndexKeys.OVERWRITE_LOCK);
  }
}
