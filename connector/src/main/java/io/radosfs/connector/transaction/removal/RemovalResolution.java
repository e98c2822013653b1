// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.removal;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.commit.TransactionEnds;
import java.io.IOException;
import java.util.Set;

/** Resolves decided removals, also those of other clients. */
public final class RemovalResolution {

  private final TransactionEnds transactions;

  public RemovalResolution(TransactionEnds transactions) {
    this.transactions = transactions;
  }

  /** Finishes a removal that another client has begun; aborts it if it is not decided. */
  public void recover(Registration removal) throws IOException {
    Transactions.State unused = transactions.abort(removal);
    finish(removal, OwnTransactions.paths(removal.owner()).get(0));
  }

  void finish(Registration removal, FsPath directory) throws IOException {
    transactions.resolve(removal, Set.of(directory));
    transactions.forget(removal);
  }
}
