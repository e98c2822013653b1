// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.Collection;

/** The last steps of {@link Transactions}, which need nothing of what prepares them. */
public final class TransactionEnds {

  private final StatusRecords records;
  private final TransactionResolution resolution;
  private final DirectoryLoop loop;

  /**
   * @param loop runs the work on several directories
   */
  public TransactionEnds(
      StatusRecords records, TransactionResolution resolution, DirectoryLoop loop) {
    this.records = records;
    this.resolution = resolution;
    this.loop = loop;
  }

  /** See {@link Transactions#abort}. */
  public State abort(Registration registration) throws IOException {
    return records.abort(registration).state();
  }

  /** See {@link Transactions#resolve}. */
  public void resolve(Registration registration, Collection<FsPath> directories)
      throws IOException {
    TransactionStatus status =
        records
            .record(registration)
            .orElse(new TransactionStatus(TransactionStatus.State.ABORTED, registration.owner()));
    if (status.is(TransactionStatus.State.PENDING)) {
      throw new IllegalStateException("transaction " + registration.id() + " is not decided");
    }
    resolution.resolve(registration, status, directories, loop::run);
  }

  /** See {@link Transactions#forget}. */
  public void forget(Registration registration) throws IOException {
    records.forget(registration);
  }
}
