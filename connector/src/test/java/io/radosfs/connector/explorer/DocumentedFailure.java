// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.PathIOException;

/**
 * A definite failure that a call may be told of though nothing goes wrong: what others do beside
 * it, or what it asks for, is in its way. The pages tell people of it.
 *
 * @param words that its message has
 */
public record DocumentedFailure(Class<? extends IOException> type, String words) {

  /** {@code semantics.md}: a directory is not renamed to below itself. */
  static final DocumentedFailure BELOW_ITSELF =
      new DocumentedFailure(PathIOException.class, "which is below it");

  /** {@code failures.md} and {@code garbage-collection.md}: a live process is taken for dead. */
  static final DocumentedFailure TAKEN_FOR_DEAD =
      new DocumentedFailure(LedgerTakenOverException.class, "its process was taken for dead");

  /** {@code migration.md}: two adopt one object, or one of them was ended early. */
  static final List<DocumentedFailure> OF_ADOPTION =
      List.of(
          new DocumentedFailure(PathIOException.class, "ended early or still runs"),
          new DocumentedFailure(
              PathIOException.class, "is being adopted or restored by another client"));

  /** The object is there: what another program is told that puts objects. */
  static final DocumentedFailure IS_THERE = new DocumentedFailure(StoreException.class, "EXISTS: ");

  /** {@code failures.md} and the committer's {@code troubleshooting.md}: a job is in the way. */
  static final List<DocumentedFailure> OF_JOBS_IN_THE_WAY =
      List.of(
          new DocumentedFailure(
              TransactionConflictException.class, "which is neither committed nor aborted after"),
          new DocumentedFailure(TransactionConflictException.class, "while a job writes to it"),
          new DocumentedFailure(
              TransactionConflictException.class, "but tasks of it may still write"));

  boolean is(IOException failure) {
    return type.isInstance(failure) && String.valueOf(failure.getMessage()).contains(words);
  }
}
