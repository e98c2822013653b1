// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.io.IOException;

/** A name, or a whole directory, belongs to another transaction that is not decided yet. */
public class TransactionConflictException extends IOException {

  private static final long serialVersionUID = 1L;

  public TransactionConflictException(String message) {
    super(message);
  }

  /**
   * What to do about a job that stays undecided, as the end of a message. It is for jobs alone:
   * whoever meets a rename or a removal of a dead client ends it.
   */
  public static String remedy(String jobId) {
    return "If `radosfs jobs list <URI>` shows this job and no process of it is left, end it at"
        + " once: `radosfs jobs recover --force <URI> "
        + jobId
        + "` (without --force only an hour after its last heartbeat). Otherwise try again, or set"
        + " a longer fs.rados.transaction.wait";
  }
}
