// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import java.io.IOException;

/**
 * Thrown if a garbage collector took this process for dead and took over its ledger. The files that
 * the process was writing are given up: their data is removed, and none of them was visible.
 */
public class LedgerTakenOverException extends IOException {

  private static final long serialVersionUID = 1L;

  public LedgerTakenOverException(String message) {
    super(message);
  }
}
