// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The overwrite lock of a directory, for transactions decided there that replace much: a key in the
 * directory's index, with the id of the transaction that holds the lock. The lock ends with the
 * decision, whoever makes it, and need not be released.
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
    while (true) {
      DirectoryView view =
          indexes
              .reader()
              .keys(registration.coordinator(), List.of(IndexKeys.OVERWRITE_LOCK, status));
      Optional<IndexHead> head = view.head();
      if (head.filter(IndexHead::isBusy).isPresent()) {
        // Others are about to split, move or remove the directory, and may not come to it.
        DirectoryView unused =
            freeNames.viewOfHead(registration.coordinator(), List.of(), List.of());
        return false;
      }
      boolean pending =
          TransactionStatuses.in(view, registration.id())
              .filter(s -> s.is(TransactionStatus.State.PENDING))
              .isPresent();
      Optional<String> holder =
          view.value(IndexKeys.OVERWRITE_LOCK)
              .map(stored -> new String(stored, StandardCharsets.UTF_8));
      if (!pending || !view.isOpen() || holder.filter(registration.id()::equals).isPresent()) {
        return true; // or it is decided, or its directory is removed: the commit will say so
      }
      // The lock of a transaction that is forgotten, or unknown, means nothing.
      Optional<TransactionStatus> others =
          holder.isEmpty()
              ? Optional.empty()
              : statuses.record(holder.get(), registration.coordinator());
      if (others.filter(s -> s.is(TransactionStatus.State.PENDING)).isEmpty()) {
        return indexes
            .writer()
            .applyUnseen(
                IndexChange.of(view)
                    .expect(status, view.value(status))
                    .expect(IndexKeys.OVERWRITE_LOCK, view.value(IndexKeys.OVERWRITE_LOCK))
                    .set(
                        IndexKeys.OVERWRITE_LOCK,
                        registration.id().getBytes(StandardCharsets.UTF_8)));
      }
      if (!backoff.pause()) {
        throw conflict(registration, holder.get(), others.get(), backoff);
      }
    }
  }

  private static TransactionConflictException conflict(
      Registration registration, String holder, TransactionStatus status, BoundedBackoff backoff) {
    return new TransactionConflictException(
        "directory "
            + registration.coordinator()
            + " is being replaced, or indexes of it, by another transaction, "
            + holder
            + " of "
            + status.owner()
            + ", which is neither committed nor aborted after "
            + backoff
            + " (fs.rados.transaction.wait). If its process is dead, end it: radosfs jobs recover");
  }

  /** Does nothing if another has the lock by now. What is left of an ended lock means nothing. */
  void release(Registration registration) throws IOException {
    byte[] own = registration.id().getBytes(StandardCharsets.UTF_8);
    FsPath coordinator = registration.coordinator();
    if (indexes
        .writer()
        .applyUnseen(releasing(coordinator, indexes.router().open(coordinator), own))) {
      return;
    }
    DirectoryView view = indexes.reader().keys(coordinator, List.of(IndexKeys.OVERWRITE_LOCK));
    indexes.router().saw(view);
    if (view.isOpen()
        && view.value(IndexKeys.OVERWRITE_LOCK).filter(id -> Arrays.equals(id, own)).isPresent()) {
      boolean unused =
          indexes.writer().applyUnseen(releasing(coordinator, view.head().orElseThrow(), own));
    }
  }

  private static IndexChange releasing(FsPath coordinator, IndexHead head, byte[] own) {
    return IndexChange.of(coordinator, head)
        .expect(IndexKeys.OVERWRITE_LOCK, own)
        .remove(IndexKeys.OVERWRITE_LOCK);
  }
}
