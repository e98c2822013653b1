// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.io.IOException;

/** The transaction was aborted before it could commit; nothing of it is visible, now or later. */
public class TransactionAbortedException extends IOException {

  private static final long serialVersionUID = 1L;

  public TransactionAbortedException(String message) {
    super(message);
  }
}
