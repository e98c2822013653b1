// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Decides transactions, each by the one operation on its coordinator that is the commit (I5). */
public final class Decision {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final TransactionStatuses statuses;
  private final Retention retention;

  public Decision(
      Indexes indexes, FreeNames freeNames, TransactionStatuses statuses, Retention retention) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.statuses = statuses;
    this.retention = retention;
  }

  /**
   * Decides by the one operation that is the commit.
   *
   * @param pending the status record under which the preparation counts
   * @return whether nothing is left to resolve in the coordinator
   * @throws TransactionConflictException if another client has taken the transaction over
   */
  public boolean decide(
      Preparer preparer,
      Registration registration,
      TransactionStatus pending,
      DirectoryChange atDecision,
      Set<FsPath> elsewhere)
      throws IOException {
    return indexes
        .retries()
        .run(
            "commit of " + StatusRecords.what(registration),
            new Deciding(preparer, registration, pending, atDecision, elsewhere));
  }

  /** Tries to decide: first relying on what this call has prepared, later by looking again. */
  private final class Deciding implements Retries.Task<Boolean> {

    private final Preparer preparer;
    private final FreeNames ownNames;
    private final Registration registration;
    private final FsPath coordinator;
    private final String key;
    private final TransactionStatus pending;
    private final TransactionStatus committed;
    private DirectoryChange changes;
    private boolean first = true;

    Deciding(
        Preparer preparer,
        Registration registration,
        TransactionStatus pending,
        DirectoryChange atDecision,
        Set<FsPath> elsewhere) {
      this.preparer = preparer;
      this.ownNames = freeNames.forTransaction(preparer.id(), registration.coordinator());
      this.registration = registration;
      this.coordinator = registration.coordinator();
      this.key = IndexKeys.transactionStatus(registration.id());
      this.pending = pending;
      this.committed = pending.as(TransactionStatus.State.COMMITTED).concerning(elsewhere);
      this.changes = atDecision;
    }

    @Override
    public Optional<Boolean> attempt() throws IOException {
      if (!first && isCommitted()) {
        return Optional.of(false);
      }
      boolean isFirst = first;
      first = false;
      DirectoryView view = ownNames.viewOfHead(coordinator, changes.names(), changes.sharedNames());
      if (!view.isOpen()) {
        throw new TransactionAbortedException(
            "directory " + coordinator + " was removed before " + registration.id() + " committed");
      }
      if (view.isSharded() && !changes.isEmpty() || preparer.hasPrepared(view, changes)) {
        // The names are in shards, which the deciding operation does not change. Or a commit of
        // other changes, which took several operations, has prepared some of the names.
        preparer.prepare(coordinator, changes, /* isNew= */ false);
        changes = DirectoryChange.none();
        return Optional.empty();
      }
      IntendedChange intended = new IntendedChange(preparer.id(), changes);
      intended.check(view);
      if (!preparer.layoutsAgree(view, changes)) {
        return Optional.empty();
      }
      IndexChange change =
          IndexChange.of(view)
              .expect(key, pending.encode())
              .set(key, committed.encode())
              .transactional();
      intended.applyAtOnce(change, view, retention);
      if (isFirst && intended.isOfMany()) {
        change.expectUnchanged(view);
      } else {
        intended.expectNames(change, view);
      }
      PreparedHere prepared = preparer.preparedHere();
      boolean alone = isFirst && !view.isSharded();
      if (alone) {
        prepared.expectNoOthers(change);
      } else {
        prepared.shared(IndexObject.head(coordinator));
      }
      if (indexes.writer().applyOrLookIfInterrupted(change)) {
        boolean resolved = alone && !prepared.isConcerned(coordinator) && changes.onlyAdds();
        prepared.decided(change);
        statuses.isCommitted(registration.id(), registration.coordinator(), committed);
        return Optional.of(resolved);
      }
      return Optional.empty();
    }

    private boolean isCommitted() throws IOException {
      TransactionStatus now = requireNotAborted(registration);
      if (now.is(TransactionStatus.State.PENDING) && !now.equals(pending)) {
        throw new TransactionConflictException(
            StatusRecords.what(registration) + " has been taken over by another client");
      }
      return now.is(TransactionStatus.State.COMMITTED);
    }
  }

  /** The record of a transaction that may be committed: PENDING, or COMMITTED already. */
  TransactionStatus requireNotAborted(Registration registration) throws IOException {
    TransactionStatus status =
        statuses
            .record(registration.id(), registration.coordinator())
            .orElseThrow(() -> unregistered(registration));
    return notAborted(registration, status);
  }

  /** The same, given the record. */
  static TransactionStatus notAborted(Registration registration, TransactionStatus status)
      throws TransactionAbortedException {
    if (status.is(TransactionStatus.State.ABORTED)) {
      throw new TransactionAbortedException(
          "transaction "
              + registration.id()
              + " in "
              + registration.coordinator()
              + " was aborted before it could commit");
    }
    return status;
  }

  static TransactionAbortedException unregistered(Registration registration) {
    return new TransactionAbortedException(
        "transaction "
            + registration.id()
            + " is not registered in "
            + registration.coordinator()
            + ": it was aborted, or the directory was removed meanwhile");
  }
}
