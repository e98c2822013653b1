// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.removal;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.commit.Decided;
import io.radosfs.connector.transaction.commit.Decision;
import io.radosfs.connector.transaction.commit.DirectoryLocker;
import io.radosfs.connector.transaction.commit.IntendedChange;
import io.radosfs.connector.transaction.commit.JobsThere;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.read.VisibleIndex;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes directories with shards. One operation cannot close all shards, so they are locked, and
 * the removal is decided in the index of the parent. Until then all of the directory is there, from
 * then on nothing.
 */
public final class Removals {

  private static final Logger LOG = LoggerFactory.getLogger(Removals.class);

  private final Transactions transactions;
  private final Preparation preparation;
  private final Decision decision;
  private final RemovalResolution resolution;
  private final VisibleIndex visible;
  private final StoredChildren children;

  public Removals(
      Transactions transactions,
      Preparation preparation,
      Decision decision,
      RemovalResolution resolution,
      VisibleIndex visible,
      StoredChildren children) {
    this.transactions = transactions;
    this.preparation = preparation;
    this.decision = decision;
    this.resolution = resolution;
    this.visible = visible;
    this.children = children;
  }

  /**
   * Removes a directory with its files and the directories in it. Some five operations for each
   * shard, plus those for the data.
   *
   * @param uid identifies the directory
   * @param onlyIfEmpty whether it must have no children
   * @throws org.apache.hadoop.fs.PathIsNotEmptyDirectoryException if it has any; nothing is changed
   * @throws TransactionAbortedException if a client that needed the names has aborted it; nothing
   *     is changed, and it may be tried again
   * @throws org.apache.hadoop.fs.PathIOException if that directory is no longer at the path
   */
  public void remove(FsPath directory, Uid uid, boolean onlyIfEmpty) throws IOException {
    Registration removal =
        new Registration(
            Uid.random().value(), directory.parent(), OwnTransactions.ofRemoval(directory));
    DirectoryLocker locker = preparation.locker(removal.id(), removal.coordinator());
    try {
      decided(removal, directory, uid, onlyIfEmpty, locker)
          .resolve()
          .unresolved()
          .ifPresent(
              e ->
                  LOG.warn(
                      "{} is removed, but could not be cleared away yet; the next change there"
                          + " will",
                      directory,
                      e));
    } finally {
      locker.made().leave();
    }
  }

  /** The part of a removal that can fail. */
  private Decided decided(
      Registration removal, FsPath directory, Uid uid, boolean onlyIfEmpty, DirectoryLocker locker)
      throws IOException {
    transactions.register(removal);
    try {
      prepareAndDecide(removal, directory, uid, onlyIfEmpty, locker);
    } catch (IOException e) {
      if (Failures.hasWaitedInFull(e)) {
        throw e; // RADOS would not answer this either
      }
      if (abort(removal, directory, e) == Transactions.State.ABORTED) {
        withdraw(removal, directory, locker, e);
        throw e;
      }
    }
    return new Decided(() -> finish(removal, directory, locker));
  }

  /** What it locks stays locked until the removal is aborted: the decision may come late. */
  private void prepareAndDecide(
      Registration removal, FsPath directory, Uid uid, boolean onlyIfEmpty, DirectoryLocker locker)
      throws IOException {
    locker.lockToRemove(
        directory, requireDirectory(directory, uid), TransactionMark::removing, JobsThere.ANY);
    if (onlyIfEmpty) {
      children.visit(
          directory,
          (name, entry) -> {
            throw new PathIsNotEmptyDirectoryException(directory.toString());
          });
    }
    boolean unused =
        decision.decide(
            preparation.preparer(removal.id(), removal.coordinator()),
            removal,
            new TransactionStatus(TransactionStatus.State.PENDING, removal.owner()),
            DirectoryChange.removing(Map.of(directory.name(), requireDirectory(directory, uid))),
            Set.of());
  }

  private Entry.OfDirectory requireDirectory(FsPath directory, Uid uid) throws IOException {
    return visible
        .directory(directory)
        .filter(entry -> entry.uid().equals(uid))
        .orElseThrow(() -> IntendedChange.changed(directory));
  }

  /** Aborts a removal that could not be prepared or decided; returns its final state. */
  private Transactions.State abort(Registration removal, FsPath directory, IOException failure)
      throws IOException {
    try {
      return FollowUp.evenIfInterrupted(() -> transactions.abort(removal));
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw new OutcomeUnknownException(
          "removal of "
              + directory
              + " failed, and whether it had taken effect before could not be read from the index"
              + " of "
              + removal.coordinator()
              + ": look at it before repeating it",
          failure);
    }
  }

  private void withdraw(
      Registration removal, FsPath directory, DirectoryLocker locker, IOException failure) {
    try {
      FollowUp.evenIfInterrupted(() -> finish(removal, directory, locker));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Finishes a removal of this process, which has made the indexes that the locker knows. */
  private void finish(Registration removal, FsPath directory, DirectoryLocker locker)
      throws IOException {
    // First: indexes of directories removed meanwhile cannot be found from the top.
    locker.made().removeInVain();
    resolution.finish(removal, directory);
  }
}
