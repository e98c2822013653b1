// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * Commits the job's transaction. Where others have changed what it replaces since that was looked
 * at, it looks again; two appending jobs that both replace {@code _SUCCESS} meet here.
 */
final class TransactStage {

  private TransactStage() {}

  /** Computes the changes anew. */
  interface Recompute {
    Changes run() throws IOException;
  }

  /** Told of changes before they are prepared. */
  interface Preparation {
    void of(Changes changes) throws IOException;
  }

  /**
   * Once it returns, the job is committed; what is not resolved then is to be.
   *
   * @param besideOthers whether another client has begun to commit the job, and may be at it
   * @param goesOn run now and then
   * @throws TransactionAbortedException when the job was aborted
   * @throws TransactionConflictException when another's transaction stands in the way for too long
   * @throws OutcomeUnknownException when the job may be committed
   * @throws IOException when it is not
   */
  static Committed run(
      Job job,
      Changes first,
      Recompute recompute,
      Optional<Entry> success,
      boolean besideOthers,
      Preparation preparation,
      Runnable goesOn)
      throws IOException {
    AtomicReference<Changes> changes = new AtomicReference<>(first);
    return job.fs()
        .retries()
        .run(
            "commit of " + job,
            () -> {
              preparation.of(changes.get());
              try {
                return Optional.of(commit(job, changes.get(), success, besideOthers, goesOn));
              } catch (TransactionAbortedException | TransactionConflictException e) {
                throw e;
              } catch (FileAlreadyExistsException | PathIOException e) {
                Changes now = recompute.run();
                if (now.areSame(changes.getAndSet(now))) {
                  throw e;
                }
                return Optional.empty();
              } catch (IOException e) {
                return Optional.of(requireCommitted(job, e));
              }
            });
  }

  private static Committed commit(
      Job job, Changes changes, Optional<Entry> success, boolean besideOthers, Runnable goesOn)
      throws IOException {
    Transactions transactions = job.fs().transactions();
    TransactionChanges all =
        new ChangesInPieces(changes, job.destination(), success, job.fs().objects(), goesOn);
    return transactions.commit(job.registration(), all, changes.removedWhole(), besideOthers);
  }

  /** Throws unless the job is committed nevertheless. */
  private static Committed requireCommitted(Job job, IOException failure) throws IOException {
    Optional<Transactions.State> decision;
    try {
      decision =
          FollowUp.evenIfInterrupted(() -> job.fs().transactions().state(job.registration()));
    } catch (IOException e) {
      OutcomeUnknownException unknown =
          new OutcomeUnknownException(
              job
                  + " may be committed or not: its commit failed, and its state could not be read."
                  + " Commit it again, or abort it, to find out",
              failure);
      unknown.addSuppressed(e);
      throw unknown;
    }
    if (decision.isPresent() && decision.get() == Transactions.State.COMMITTED) {
      return new Committed(Optional.of(failure));
    }
    throw failure;
  }
}
