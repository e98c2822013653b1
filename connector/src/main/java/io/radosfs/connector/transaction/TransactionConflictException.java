// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.io.IOException;

/** A name, or a whole directory, belongs to another transaction that is not decided yet. */
public class TransactionConflictException extends IOException {

  private static final long serialVersionUID = 1L;

  public TransactionConflictException(String message) {
    super(message);
  }
}
