// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.io.IOException;

/** A name, or a whole directory, belongs to another transaction that is not decided yet. */
public class TransactionConflictException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String transaction;

  public TransactionConflictException(String transaction, String message) {
    super(message);
    this.transaction = transaction;
  }

  /** The other transaction's id; for a job's commit, the job id. */
  public String transaction() {
    return transaction;
  }
}
