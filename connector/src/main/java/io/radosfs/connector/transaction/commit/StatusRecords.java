// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions.AbortOutcome;
import io.radosfs.connector.transaction.Transactions.Neighbours;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, changes, reads and removes the status records of transactions in the coordinators. */
public final class StatusRecords {

  private static final Logger LOG = LoggerFactory.getLogger(StatusRecords.class);

  private final Indexes indexes;
  private final OpenIndexes openIndexes;
  private final TransactionStatuses statuses;
  private final StoredTransactionStatuses stored;
  private final RemovedJobs removedJobs;

  public StatusRecords(
      Indexes indexes,
      OpenIndexes openIndexes,
      TransactionStatuses statuses,
      RemovedJobs removedJobs) {
    this.indexes = indexes;
    this.openIndexes = openIndexes;
    this.statuses = statuses;
    this.stored = new StoredTransactionStatuses(indexes.reader());
    this.removedJobs = removedJobs;
  }

  Retries retries() {
    return indexes.retries();
  }

  void register(Registration registration) throws IOException {
    FsPath coordinator = registration.coordinator();
    String key = IndexKeys.transactionStatus(registration.id());
    AtomicBoolean mayBeMade = new AtomicBoolean();
    indexes
        .retries()
        .until(
            "registration of " + what(registration),
            () -> {
              DirectoryView view = indexes.reader().keys(coordinator, List.of(key));
              indexes.router().saw(view);
              if (view.value(key).isPresent()) {
                return true;
              }
              if (mayBeMade.get()) {
                throw new TransactionAbortedException(
                    what(registration)
                        + " may have been registered, without an answer, and ended by another"
                        + " client since. Nothing of it is visible; begin it again by another id");
              }
              IndexChange change =
                  view.isOpen() ? IndexChange.of(view).seen(view) : opened(coordinator);
              TransactionStatus pending =
                  new TransactionStatus(TransactionStatus.State.PENDING, registration.owner());
              return indexes
                  .writer()
                  .applyUnseen(
                      change.expectAbsent(key).set(key, pending.encode()),
                      () -> mayBeMade.set(true));
            });
  }

  static String what(Registration registration) {
    return "transaction " + registration.id() + " in directory " + registration.coordinator();
  }

  /** A change of the index of an existing directory, which is opened first. */
  private IndexChange opened(FsPath directory) throws IOException {
    openIndexes.openExisting(directory);
    return IndexChange.of(directory, indexes.router().open(directory));
  }

  Map<Registration, State> registered(FsPath coordinator, Failures failures) throws IOException {
    Map<Registration, State> all = new LinkedHashMap<>();
    stored.visit(coordinator, jobs(all), failures);
    return all;
  }

  Neighbours neighbours(Registration own) throws IOException {
    Map<Registration, State> some = new LinkedHashMap<>();
    Failures others = (subject, failure) -> LOG.warn("{} is left out", subject, failure);
    Optional<TransactionStatus> status =
        stored.visitSome(own.coordinator(), own.id(), jobs(some), others);
    some.remove(own);
    return new Neighbours(status.map(StatusRecords::state), some);
  }

  private static StoredTransactionStatuses.Visitor jobs(Map<Registration, State> found) {
    return (directory, registration, status) -> {
      if (!OwnTransactions.include(registration.id(), status.owner())) {
        found.put(registration, state(status));
      }
    };
  }

  private static State state(TransactionStatus status) {
    return State.valueOf(status.state().name());
  }

  Optional<State> state(Registration registration) throws IOException {
    return record(registration).map(StatusRecords::state);
  }

  /** The status record, if there is one. One read; none if it is known to be committed. */
  Optional<TransactionStatus> record(Registration registration) throws IOException {
    return statuses.record(registration.id(), registration.coordinator());
  }

  /**
   * Takes a transaction over from any client that may be committing it: what others prepare counts
   * no more, however late it arrives. One read and one write.
   *
   * @return the record as it is then; a decided one if the decision came first
   */
  TransactionStatus takeOver(Registration registration) throws IOException {
    String key = IndexKeys.transactionStatus(registration.id());
    Set<Uid> own = new HashSet<>();
    return indexes
        .retries()
        .run(
            "takeover of " + what(registration),
            () -> {
              DirectoryView view = indexes.reader().keys(registration.coordinator(), List.of(key));
              TransactionStatus status =
                  TransactionStatuses.in(view, registration.id())
                      .orElseThrow(() -> Decision.unregistered(registration));
              // Another may have taken it over since a try that was not answered.
              boolean isTaken = status.lastTakeover().filter(own::contains).isPresent();
              if (!status.is(TransactionStatus.State.PENDING) || isTaken) {
                return Optional.of(status);
              }
              Uid by = Uid.random();
              own.add(by);
              return replace(view, key, status.takenOver(by));
            });
  }

  Optional<State> stateWhenRemoved(Registration registration) throws IOException {
    return removedJobs.find(registration.owner()).map(StatusRecords::state);
  }

  /**
   * A job that is not registered any more is listed with its decision if its directory was removed.
   * That is done before its status record goes, so this read, which comes later, finds it.
   */
  private State forgotten(Registration registration) throws IOException {
    return ObjectNames.isJob(registration.owner())
        ? stateWhenRemoved(registration).filter(s -> s == State.COMMITTED).orElse(State.ABORTED)
        : State.ABORTED;
  }

  AbortOutcome abort(Registration registration) throws IOException {
    String key = IndexKeys.transactionStatus(registration.id());
    return indexes
        .retries()
        .run(
            "abort of " + what(registration),
            () -> {
              DirectoryView view = indexes.reader().keys(registration.coordinator(), List.of(key));
              Optional<TransactionStatus> status = TransactionStatuses.in(view, registration.id());
              if (status.isEmpty()) {
                return Optional.of(new AbortOutcome(forgotten(registration), false));
              }
              if (!status.get().is(TransactionStatus.State.PENDING)) {
                return Optional.of(new AbortOutcome(state(status.get()), false));
              }
              return replace(view, key, status.get().as(TransactionStatus.State.ABORTED))
                  .map(aborted -> new AbortOutcome(state(aborted), true));
            });
  }

  /** Replaces a status record; empty if another client has changed it since. One write. */
  private Optional<TransactionStatus> replace(DirectoryView view, String key, TransactionStatus by)
      throws IOException {
    IndexChange change = IndexChange.of(view).expect(key, view.value(key)).set(key, by.encode());
    return indexes.writer().applyOrLookAgain(change) ? Optional.of(by) : Optional.empty();
  }

  void list(Registration registration, State decided) throws IOException {
    TransactionStatus.State state = TransactionStatus.State.valueOf(decided.name());
    indexes
        .retries()
        .until(
            "listing of " + what(registration),
            () -> removedJobs.listAnew(registration.owner(), state).isPresent());
  }

  void forget(Registration registration) throws IOException {
    String key = IndexKeys.transactionStatus(registration.id());
    TransactionStatus committed =
        new TransactionStatus(TransactionStatus.State.COMMITTED, registration.owner());
    if (indexes
        .writer()
        .applyUnseen(
            IndexChange.of(
                    registration.coordinator(), indexes.router().open(registration.coordinator()))
                .expect(key, committed.encode())
                .remove(key))) {
      return;
    }
    indexes
        .retries()
        .until(
            "end of " + what(registration),
            () -> {
              DirectoryView view = indexes.reader().keys(registration.coordinator(), List.of(key));
              Optional<byte[]> stored = view.value(key);
              if (stored.isEmpty()) {
                return true;
              }
              if (TransactionStatuses.in(view, registration.id())
                  .filter(s -> s.is(TransactionStatus.State.PENDING))
                  .isPresent()) {
                // The decided one is gone: a driver whose registration was not answered has made
                // another since.
                return true;
              }
              return indexes
                  .writer()
                  .applyUnseen(IndexChange.of(view).expect(key, stored).remove(key));
            });
  }
}
