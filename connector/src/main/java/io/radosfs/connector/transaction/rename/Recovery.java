// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.commit.Finisher;
import io.radosfs.connector.transaction.commit.TransactionEnds;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.removal.RemovalResolution;
import io.radosfs.connector.transaction.resolve.Move;
import java.io.IOException;
import java.util.Optional;

/** Ends the renames and removals that other clients have begun. */
public final class Recovery implements Finisher {

  private final StoredTransactionStatuses statuses;
  private final TransactionEnds transactions;
  private final MoveResolution resolution;
  private final RemovalResolution removals;

  public Recovery(
      StoredTransactionStatuses statuses,
      TransactionEnds transactions,
      MoveResolution resolution,
      RemovalResolution removals) {
    this.statuses = statuses;
    this.transactions = transactions;
    this.resolution = resolution;
    this.removals = removals;
  }

  /**
   * Finishes or aborts renames into a directory, and removals from it, that crashed clients left.
   * Resolves jobs that are committed here in their directories elsewhere. One that cannot be ended
   * does not keep the others from it; the first failure is thrown. One read for each 1,024 status
   * records, at least one.
   */
  public void recover(FsPath directory) throws IOException {
    recover(directory, this);
  }

  /**
   * The same for a call that may do so again.
   *
   * @param each finishes one, by this
   */
  public void recover(FsPath directory, Finisher each) throws IOException {
    FirstFailure failure = new FirstFailure();
    statuses.visit(
        directory,
        (view, registration, status) -> each.finish(registration, status),
        (subject, thrown) -> {
          failure.add(thrown);
          if (failure.isEnd()) {
            failure.rethrow();
          }
        });
    failure.rethrow();
  }

  @Override
  public void finish(Registration registration, TransactionStatus status) throws IOException {
    Optional<Move> move = Move.parse(registration.id(), status.owner());
    if (move.isPresent()) {
      Transactions.State state = transactions.abort(move.get().registration());
      resolution.finish(move.get(), state == Transactions.State.COMMITTED);
    } else if (OwnTransactions.isRemoval(registration.id(), status.owner())) {
      removals.recover(registration);
    } else if (status.is(TransactionStatus.State.COMMITTED) && !status.elsewhere().isEmpty()) {
      transactions.resolve(registration, status.elsewhere());
    }
  }
}
