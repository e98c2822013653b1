// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.retry.OpenAttempt;
import io.radosfs.connector.store.OutcomeUnknownException;

/**
 * It is unknown whether a change of an index was made, but looking again may tell. {@link
 * IndexWriter#applyOrLookAgain} throws it for the loop around it.
 */
final class OpenChangeException extends OutcomeUnknownException implements OpenAttempt {

  private static final long serialVersionUID = 1L;

  OpenChangeException(OutcomeUnknownException unknown) {
    super(unknown.getMessage(), unknown.getCause());
    for (Throwable suppressed : unknown.getSuppressed()) {
      addSuppressed(suppressed);
    }
  }
}
