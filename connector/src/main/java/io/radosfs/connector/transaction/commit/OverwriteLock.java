// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
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
 */
public final class OverwriteLock {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final TransactionStatuses statuses;

  public OverwriteLock(Indexes indexes, FreeNames freeNames, TransactionStatuses statuses) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.statuses = statuses;
  }

  void take(Registration registration) throws IOException {
    BoundedBackoff backoff = freeNames.backoff();
    indexes
        .retries()
        .until(
            "the wait of transaction "
                + registration.id()
                + " for the overwrite lock of directory "
                + registration.coordinator(),
            () -> tryToTake(registration, backoff));
    backoff.ended();
  }

  /** Returns false if it must be looked at again, as others were faster, or are ended. */
  private boolean tryToTake(Registration registration, BoundedBackoff backoff) throws IOException {
    String status = IndexKeys.transactionStatus(registration.id());
    DirectoryView view =
        indexes
            .reader()
            .keys(registration.coordinator(), List.of(IndexKeys.OVERWRITE_LOCK, status));
    Optional<IndexHead> head = view.head();
    if (head.filter(IndexHead::isBusy).isPresent()) {
      // Others are about to split, move or remove the directory, and may not come to it.
      DirectoryView unused = freeNames.viewOfHead(registration.coordinator(), List.of(), List.of());
      return false;
    }
    boolean pending =
        TransactionStatuses.in(view, registration.id())
            .filter(s -> s.is(TransactionStatus.State.PENDING))
            .isPresent();
    LockHolder own = LockHolder.holding(registration.id());
    Optional<LockHolder> holder = holder(view);
    if (!pending || !view.isOpen() || holder.filter(own::equals).isPresent()) {
      return true; // or it is decided, or its directory is removed: the commit will say so
    }
    // What another driver of this transaction has asked for is taken over.
    Optional<LockHolder> other = holder.filter(h -> !h.transaction().equals(registration.id()));
    if (other.isPresent() && pending(other.get(), registration.coordinator()).isPresent()) {
      boolean unused = await(other.get(), registration.coordinator(), registration, backoff);
      return false;
    }
    LockHolder asking = LockHolder.newlyAsking(registration.id());
    return indexes
            .writer()
            .applyUnseen(
                IndexChange.of(view)
                    .expect(status, view.value(status))
                    .expect(IndexKeys.OVERWRITE_LOCK, view.value(IndexKeys.OVERWRITE_LOCK))
                    .set(IndexKeys.OVERWRITE_LOCK, asking.encode()))
        && hold(asking, view, registration, backoff);
  }

  /** Holds the lock that was asked for, unless a directory above is locked: that is waited for. */
  private boolean hold(
      LockHolder asking, DirectoryView view, Registration registration, BoundedBackoff backoff)
      throws IOException {
    for (FsPath above = registration.coordinator(); !above.isRoot(); ) {
      above = above.parent();
      Optional<LockHolder> holder = inTheWay(above, registration);
      if (holder.isPresent()) {
        // Else whoever is above waits for what is left of it here.
        if (indexes
            .writer()
            .applyUnseen(
                releasing(
                    registration.coordinator(), view.head().orElseThrow(), asking.encode()))) {
          boolean unused = await(holder.get(), above, registration, backoff);
        }
        return false;
      }
    }
    return indexes
        .writer()
        .applyUnseen(
            IndexChange.of(view)
                .expect(IndexKeys.OVERWRITE_LOCK, asking.encode())
                .set(IndexKeys.OVERWRITE_LOCK, LockHolder.holding(registration.id()).encode()));
  }

  /**
   * Who has the lock, or asks for it. A directory that is being removed has no commits any more.
   */
  static Optional<LockHolder> holder(DirectoryView view) throws IOException {
    boolean isThere = view.head().filter(head -> !head.is(IndexHead.State.CLOSING)).isPresent();
    return view.value(IndexKeys.OVERWRITE_LOCK).filter(lock -> isThere).map(LockHolder::decode);
  }

  /** The lock of a transaction that is forgotten, or unknown, means nothing. */
  private Optional<TransactionStatus> pending(LockHolder holder, FsPath coordinator)
      throws IOException {
    return statuses
        .record(holder.transaction(), coordinator)
        .filter(status -> status.is(TransactionStatus.State.PENDING));
  }

  /**
   * The undecided transaction that has a directory's lock, or has asked for it, if it may replace
   * what another one does, too. One read if there is none.
   */
  private Optional<LockHolder> inTheWay(FsPath directory, Registration waiting) throws IOException {
    Optional<LockHolder> holder =
        holder(indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK)));
    boolean isInTheWay =
        holder.isPresent()
            && pending(holder.get(), directory)
                .filter(status -> mayMeet(status.owner(), waiting.owner()))
                .isPresent();
    return holder.filter(any -> isInTheWay);
  }

  /** Whether a transaction is undecided, and replaces nothing that another one does. */
  boolean isBeside(LockHolder holder, FsPath coordinator, Registration other) throws IOException {
    return pending(holder, coordinator)
        .filter(status -> !mayMeet(status.owner(), other.owner()))
        .isPresent();
  }

  /**
   * A job whose destination was a file is decided in the directory of that, and replaces nothing
   * beside it.
   */
  private static boolean mayMeet(String one, String other) {
    if (!ObjectNames.isJob(one) || !ObjectNames.isJob(other)) {
      return true;
    }
    FsPath replacing = ObjectNames.destinationOf(one);
    FsPath waiting = ObjectNames.destinationOf(other);
    return replacing.isAtOrBelow(waiting) || waiting.isAtOrBelow(replacing);
  }

  /**
   * Waits until another transaction is decided, or has taken back what it asked for. One read for
   * each look.
   *
   * @return whether it is decided, or unknown
   */
  boolean await(LockHolder holder, FsPath directory, Registration waiting, BoundedBackoff backoff)
      throws IOException {
    String transaction = holder.transaction();
    String key = IndexKeys.transactionStatus(transaction);
    while (true) {
      DirectoryView view = indexes.reader().keys(directory, List.of(IndexKeys.OVERWRITE_LOCK, key));
      Optional<TransactionStatus> pending =
          TransactionStatuses.in(view, transaction)
              .filter(status -> status.is(TransactionStatus.State.PENDING));
      if (pending.isEmpty()
          || holder(view).filter(h -> h.transaction().equals(transaction)).isEmpty()) {
        backoff.ended();
        return pending.isEmpty();
      }
      if (!backoff.pause()) {
        throw conflict(waiting, directory, transaction, pending.get(), backoff);
      }
    }
  }

  private static TransactionConflictException conflict(
      Registration waiting,
      FsPath directory,
      String holder,
      TransactionStatus status,
      BoundedBackoff backoff) {
    String where =
        directory.equals(waiting.coordinator())
            ? ""
            : ", which transaction "
                + waiting.id()
                + " in "
                + waiting.coordinator()
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
            + " (fs.rados.transaction.wait). If its process is dead, end it: radosfs jobs recover");
  }

  /**
   * Waits while another transaction has the lock of a directory, or has asked for it. One read if
   * none has.
   */
  void awaitOthers(FsPath directory, Registration waiting, BoundedBackoff backoff)
      throws IOException {
    Optional<LockHolder> holder = inTheWay(directory, waiting);
    if (holder.isPresent()) {
      boolean unused = await(holder.get(), directory, waiting, backoff);
    }
  }

  OverwriteGuard guard(Registration registration) {
    return new OtherOverwrites(this, registration, freeNames.backoff());
  }

  /** Does nothing if another has the lock by now. What is left of an ended lock means nothing. */
  void release(Registration registration) throws IOException {
    byte[] own = LockHolder.holding(registration.id()).encode();
    FsPath coordinator = registration.coordinator();
    if (indexes
        .writer()
        .applyUnseen(releasing(coordinator, indexes.router().open(coordinator), own))) {
      return;
    }
    DirectoryView view = indexes.reader().keys(coordinator, List.of(IndexKeys.OVERWRITE_LOCK));
    indexes.router().saw(view);
    if (view.isOpen()
        && holder(view).filter(h -> h.transaction().equals(registration.id())).isPresent()) {
      byte[] stored = view.value(IndexKeys.OVERWRITE_LOCK).orElseThrow();
      boolean unused =
          indexes.writer().applyUnseen(releasing(coordinator, view.head().orElseThrow(), stored));
    }
  }

  private static IndexChange releasing(FsPath coordinator, IndexHead head, byte[] stored) {
    return IndexChange.of(coordinator, head)
        .expect(IndexKeys.OVERWRITE_LOCK, stored)
        .remove(IndexKeys.OVERWRITE_LOCK);
  }
}
