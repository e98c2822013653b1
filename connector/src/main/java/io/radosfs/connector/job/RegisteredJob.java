// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.transaction.Transactions;

/**
 * A job that is registered in its destination, or is in the list of ledgers. It is in that list if
 * its destination was removed while it ran, or if it once had no record.
 *
 * @param record the name of its record, which may be missing
 * @param decision of its transaction; if the destination was removed, the decision at that time
 * @param listed whether it is in the list of ledgers
 */
public record RegisteredJob(
    FsPath destination, String id, String record, Transactions.State decision, boolean listed) {

  RegisteredJob asListed() {
    return new RegisteredJob(destination, id, record, decision, true);
  }

  @Override
  public String toString() {
    return "job " + id + " on " + destination;
  }
}
