// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.transaction.TransactionConflictException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.PathIOException;

/**
 * A failure that a call may be told of, which says nothing of the tree, though nothing goes wrong:
 * what others do beside it, or what it asks for, is in its way. The pages tell people of it.
 *
 * @param words that its message has
 */
public record DocumentedFailure(Class<? extends IOException> type, String words) {

  /** {@code semantics.md}: a directory is not renamed to below itself. */
  static final DocumentedFailure BELOW_ITSELF =
      new DocumentedFailure(PathIOException.class, "which is below it");

  /**
   * {@code decisions/rename-onto-an-empty-directory.md}: what was to be replaced is removed before,
   * and then others come in between.
   */
  static final DocumentedFailure HAS_REMOVED =
      new DocumentedFailure(
          OutcomeUnknownException.class, "which it was to replace, had been removed");

  /**
   * {@code failures.md}: others have ended a rename, and renamed more there, between its last look
   * and its decision.
   */
  static final DocumentedFailure ENDED_BY_OTHERS =
      new DocumentedFailure(
          OutcomeUnknownException.class, "others may have finished and forgotten it");

  static final List<DocumentedFailure> OF_RENAMES = List.of(HAS_REMOVED, ENDED_BY_OTHERS);

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
