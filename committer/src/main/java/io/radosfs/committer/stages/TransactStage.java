// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.LocationRemovedException;
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
 * Commits the job's transaction. If another client has changed what it replaces meanwhile, it
 * computes the changes again and retries, as with two appending jobs and {@code _SUCCESS}. If
 * another has removed a partition's location outside of the destination, which was to be there, it
 * retries with the same ones.
 */
final class TransactStage {

  private TransactStage() {}

  /** Computes the changes anew; empty if they are the same, and rest on the same locks. */
  interface Recompute {
    Optional<Changes> run(Changes before) throws IOException;
  }

  /** Writes into the plan what it does not have yet of the changes that are to be prepared. */
  interface PlanExtension {
    void extendBy(Changes changes) throws IOException;
  }

  /**
   * When it returns, the job is committed; the result says what is still to be resolved.
   *
   * @param besideOthers whether another client has begun to commit the job, and may go on
   * @param goesOn run now and then
   * @throws TransactionAbortedException if the job was aborted
   * @throws TransactionConflictException if another transaction blocks this one for too long
   * @throws OutcomeUnknownException if the job may be committed
   * @throws IOException if it is not
   */
  static Committed run(
      Job job,
      Changes first,
      Recompute recompute,
      Optional<Entry> success,
      boolean besideOthers,
      PlanExtension plan,
      Runnable goesOn)
      throws IOException {
    AtomicReference<Changes> changes = new AtomicReference<>(first);
    return job.fs()
        .retries()
        .run(
            "commit of " + job,
            () -> {
              plan.extendBy(changes.get());
              try {
                return Optional.of(commit(job, changes.get(), success, besideOthers, goesOn));
              } catch (TransactionAbortedException | TransactionConflictException e) {
                throw e;
              } catch (FileAlreadyExistsException | PathIOException e) {
                Optional<Changes> now = recompute.run(changes.get());
                if (now.isEmpty() && !(e instanceof LocationRemovedException)) {
                  throw e;
                }
                now.ifPresent(changes::set);
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
        new ChangesInPieces(
            changes, job.destination(), made(job), success, job.fs().objects(), goesOn);
    return transactions.commit(job.registration(), all, changes.removedWhole(), besideOthers);
  }

  /** The layout of the destination if a file was there when the job was set up. */
  private static Optional<DataLayout> made(Job job) throws IOException {
    if (job.coordinator().equals(job.destination())) {
      return Optional.empty();
    }
    FileObjects objects = job.fs().objects();
    FileData file = objects.newFile(job.destination().child(JobPlan.SUCCESS_NAME), job.id());
    return Optional.of(objects.layoutOf(file));
  }

  /** Throws the failure, unless the job is committed nevertheless. */
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
