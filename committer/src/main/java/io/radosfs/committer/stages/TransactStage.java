package io.radosfs.committer.stages;

import io.radosfs.committer.stages.ComputeChangesStage.Changes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the job's transaction. Where others have changed what it replaces since that was looked
 * at, it looks again; two appending jobs that both replace {@code _SUCCESS} meet here.
 */
final class TransactStage {

  private static final Logger LOG = LoggerFactory.getLogger(TransactStage.class);

  private static final int TRIES = 6;
  private static final long FIRST_PAUSE_MILLIS = 50;

  private TransactStage() {}

  /** Computes the changes anew. */
  interface Recompute {
    Changes run() throws IOException;
  }

  /** Told of changes before they are staged. */
  interface Staging {
    void of(Changes changes) throws IOException;
  }

  /**
   * Once it returns, the job is committed.
   *
   * @return whether the transaction is applied in every directory
   * @throws TransactionAbortedException when the job was aborted
   * @throws OutcomeUnknownException when the job may be committed
   * @throws IOException when it is not
   */
  static boolean run(
      Job job, Changes first, Recompute recompute, Optional<Entry> success, Staging staging)
      throws IOException {
    Changes changes = first;
    for (int i = 1; ; i++) {
      staging.of(changes);
      try {
        job.fs()
            .transactions()
            .commit(
                job.registration(),
                changes.byDirectory(job.destination(), success),
                changes.removedWhole());
        return true;
      } catch (TransactionAbortedException e) {
        throw e;
      } catch (TransactionConflictException e) {
        if (i == TRIES) {
          throw e;
        }
        LOG.info("{} waits for another transaction: {}", job, e.getMessage());
        pause(i);
        changes = recompute.run();
      } catch (FileAlreadyExistsException | PathIOException e) {
        Changes now = recompute.run();
        if (i == TRIES || now.equals(changes)) {
          throw e;
        }
        changes = now;
      } catch (IOException e) {
        return afterFailure(job, e);
      }
    }
  }

  /** Returns false when the job is committed nevertheless; throws otherwise. */
  private static boolean afterFailure(Job job, IOException failure) throws IOException {
    Optional<Transactions.State> decision;
    try {
      decision = job.fs().transactions().state(job.registration());
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
      LOG.warn("{} is committed; what failed after that will be done again", job, failure);
      return false;
    }
    throw failure;
  }

  private static void pause(int tries) throws InterruptedIOException {
    try {
      Thread.sleep(FIRST_PAUSE_MILLIS << tries);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for another transaction");
    }
  }
}
