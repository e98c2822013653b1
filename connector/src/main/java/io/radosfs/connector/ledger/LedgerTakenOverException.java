// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import java.io.IOException;

/**
 * A collector of garbage has taken this process for dead, and has given up the files that it was
 * writing. What was written of them is removed; nothing of them was visible.
 */
public class LedgerTakenOverException extends IOException {

  private static final long serialVersionUID = 1L;

  public LedgerTakenOverException(String message) {
    super(message);
  }
}
