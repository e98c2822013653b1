// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.transaction.Transactions;
import java.util.Optional;

/**
 * A job that is registered in its destination, or above it where a file is in the way, or is in the
 * list of ledgers. It is in that list if its destination was removed while it ran, or if it once
 * had no record.
 *
 * @param coordinator the directory that it is registered in
 * @param record the name of its record, which may be missing
 * @param decision of its transaction; if the destination was removed, the decision at that time
 * @param registered whether a directory leads to it
 * @param line that of the list of ledgers, if it is in that list
 */
public record RegisteredJob(
    FsPath destination,
    FsPath coordinator,
    String id,
    String record,
    Transactions.State decision,
    boolean registered,
    Optional<RemovedJobs.Line> line) {

  /** A job that no directory is known to lead to; its record says which may. */
  public static RegisteredJob recorded(
      FsPath destination, String id, Transactions.State decision, Optional<RemovedJobs.Line> line) {
    return new RegisteredJob(
        destination,
        destination,
        id,
        ObjectNames.job(destination, id),
        decision,
        /* registered= */ false,
        line);
  }

  RegisteredJob asListed(RemovedJobs.Line by) {
    return new RegisteredJob(
        destination, coordinator, id, record, decision, registered, Optional.of(by));
  }

  /** Whether it is in the list of ledgers. */
  public boolean listed() {
    return line.isPresent();
  }

  /**
   * Whether it is decided and in the list of ledgers alone, where it waits for late writes. Nothing
   * else of it is left then, unless it has a record with a state.
   */
  public boolean isOnlyListed() {
    return !registered && listed() && decision != Transactions.State.PENDING;
  }

  @Override
  public String toString() {
    return "job " + id + " on " + destination;
  }
}
