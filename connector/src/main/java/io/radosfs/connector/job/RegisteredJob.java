// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.transaction.Transactions;

/**
 * A job that is registered in its destination; or that the list of ledgers has, as the destination
 * was removed while it ran, or as it once had no record.
 *
 * @param record the name of its record, which may be missing
 * @param decision of its transaction; where the destination was removed, as it was then
 * @param listed whether the list of ledgers has it
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
