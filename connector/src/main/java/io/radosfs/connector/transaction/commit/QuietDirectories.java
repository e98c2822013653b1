// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Move;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Directories that one transaction is to lock: ends what others have begun in them, or waits for
 * it, until nothing is under way that the lock would cut off.
 */
final class QuietDirectories {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final StoredTransactionStatuses statuses;
  private final Finisher finisher;
  private final String id;
  private final FsPath coordinator;
  private final Predicate<FsPath> locked;

  /**
   * @param freeNames for this transaction, with one wait for all that is locked
   * @param id of the transaction
   * @param locked whether it has locked a directory already
   */
  QuietDirectories(
      Indexes indexes,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      Finisher finisher,
      String id,
      FsPath coordinator,
      Predicate<FsPath> locked) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.deferredDeletions = deferredDeletions;
    this.statuses = new StoredTransactionStatuses(indexes.reader());
    this.finisher = new EachJobOnce(finisher);
    this.id = id;
    this.coordinator = coordinator;
    this.locked = locked;
  }

  /**
   * A view of an index object with no transaction, no registered rename or removal, and no job or
   * deferred deletion but what may be there. Empty if some had to be ended or deleted: it must be
   * tried again. Throws if a job is at work.
   */
  Optional<DirectoryView> view(IndexObject index, MayHold may) throws IOException {
    Map<String, DirectoryPage> pages =
        indexes
            .reader()
            .pages(
                index,
                Set.of(),
                Map.of(
                    IndexKeys.INTENT_PREFIX, "",
                    IndexKeys.TRANSACTION_PREFIX, "",
                    IndexKeys.TRANSACTION_STATUS_PREFIX, "",
                    IndexKeys.DEFERRED_DELETION_PREFIX, ""));
    DirectoryView view = pages.get(IndexKeys.DEFERRED_DELETION_PREFIX).view();
    Set<String> transactions = pages.get(IndexKeys.TRANSACTION_PREFIX).transactions();
    if (transactions.remove(id)) {
      // Another client that commits the same transaction has locked it meanwhile.
      return Optional.empty();
    }
    if (!transactions.isEmpty()) {
      freeNames.resolveOrWait(index, transactions);
      return Optional.empty();
    }
    DirectoryPage intents = pages.get(IndexKeys.INTENT_PREFIX);
    if (!view.isSharded() && !intents.entries().isEmpty()) {
      freeNames.requireMarks(intents);
      return Optional.empty();
    }
    if (!finishRegistered(pages.get(IndexKeys.TRANSACTION_STATUS_PREFIX), may.jobs())) {
      return Optional.empty();
    }
    if (!may.deletions() && !pages.get(IndexKeys.DEFERRED_DELETION_PREFIX).entries().isEmpty()) {
      deferredDeletions.carryOut(index);
      return Optional.empty();
    }
    return Optional.of(view);
  }

  /**
   * Ends the renames and removals that are registered in a directory, as those of dead clients are
   * for ever. Pending ones that can go on are waited for within the bound first. What committed
   * jobs have in directories elsewhere is resolved, as only their status records show it.
   *
   * @param first page of the status records. The others are read, but all are of one instant: the
   *     lock is guarded with no change since
   * @return false if there was a rename or removal
   */
  private boolean finishRegistered(DirectoryPage first, JobsThere jobs) throws IOException {
    Map<Registration, TransactionStatus> others = new LinkedHashMap<>();
    Map<Registration, TransactionStatus> committed = new LinkedHashMap<>();
    statuses.visit(
        first,
        (directory, registration, status) -> {
          if (OwnTransactions.include(registration.id(), status.owner())) {
            others.put(registration, status);
          } else if (!jobs.has(status)) {
            throw atWork(registration, status);
          } else if (status.is(TransactionStatus.State.COMMITTED)) {
            committed.put(registration, status);
          }
        });
    for (Map.Entry<Registration, TransactionStatus> other : others.entrySet()) {
      Registration registration = other.getKey();
      if (waitsForThis(registration)
          || !freeNames.waitForDecision(registration.id(), registration.coordinator())) {
        freeNames.requireOwnPending();
      }
      finisher.finish(other.getKey(), other.getValue());
    }
    if (!others.isEmpty()) {
      return false;
    }
    for (Map.Entry<Registration, TransactionStatus> job : committed.entrySet()) {
      finisher.finish(job.getKey(), job.getValue());
    }
    return true;
  }

  /**
   * Whether it is a rename that does not end before this one, and is to give way. One out of a
   * directory that is locked here already: it has prepared nothing there, or that would have been
   * waited for, and it waits for this lock to be given up. Or one of a tree in which this one is
   * registered, as it is in this one's: of two such, both sides choose the same. Three in a circle
   * are not recognised, and wait for the bound.
   */
  private boolean waitsForThis(Registration other) {
    return Move.parse(other.id(), other.owner())
        .filter(
            move ->
                locked.test(move.source().parent())
                    || coordinator.isAtOrBelow(move.source()) && id.compareTo(move.id()) < 0)
        .isPresent();
  }

  private static TransactionConflictException atWork(Registration job, TransactionStatus status) {
    if (status.is(TransactionStatus.State.PENDING)) {
      return new TransactionConflictException(
          "directory "
              + job.coordinator()
              + " cannot be moved or replaced whole while a job writes to it: "
              + job.id()
              + ". Wait until it has ended (radosfs jobs list shows it). If no process of it is"
              + " left, radosfs jobs recover --force with its id ends it at once");
    }
    return new TransactionConflictException(
        "directory "
            + job.coordinator()
            + " cannot be moved yet: job "
            + job.id()
            + " has ended there, but tasks of it may still write. It can be once the job's record"
            + " is removed: radosfs gc does so in an hour, and radosfs jobs recover --force at"
            + " once, if no process of the job is left");
  }
}
