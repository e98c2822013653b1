// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Begins the preparation of transactions: makes what prepares names and locks directories. */
public final class Preparation {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final ClosingDirectories closingDirectories;
  private final IndexSplitter splitter;
  private final Finisher finisher;
  private final ProcessLedger ledger;
  private final DirectoryLoop loop;
  private final BatchLimit limit;

  /**
   * @param finisher of what others have registered in directories that are locked
   * @param ledger names the indexes that are made and that nothing else leads to
   * @param loop runs the work on the shards of a directory
   * @param limit of one operation
   */
  public Preparation(
      Indexes indexes,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      ClosingDirectories closingDirectories,
      IndexSplitter splitter,
      Finisher finisher,
      ProcessLedger ledger,
      DirectoryLoop loop,
      BatchLimit limit) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.deferredDeletions = deferredDeletions;
    this.closingDirectories = closingDirectories;
    this.splitter = splitter;
    this.finisher = finisher;
    this.ledger = ledger;
    this.loop = loop;
    this.limit = limit;
  }

  /** What prepares a transaction that no other client prepares or ends. */
  public Preparer preparer(String id, FsPath coordinator) {
    return preparer(id, coordinator, false);
  }

  /**
   * What prepares a transaction.
   *
   * @param besideOthers whether others may end it: then the ledger names the indexes that it makes
   */
  Preparer preparer(String id, FsPath coordinator, boolean besideOthers) {
    return new Preparer(
        indexes,
        freeNames.forTransaction(id, coordinator),
        closingDirectories,
        loop,
        id,
        coordinator,
        besideOthers ? Optional.of(ledger) : Optional.empty());
  }

  /**
   * Finishes what kept a transaction from locking directories, once that is given up. One that
   * cannot be finished does not keep the others from it.
   */
  public void finish(BeingRemovedException removals) throws IOException {
    FirstFailure failure = new FirstFailure();
    for (Map.Entry<FsPath, Uid> removal : removals.directories().entrySet()) {
      if (!failure.isEnd()) {
        failure.attempt(() -> closingDirectories.finish(removal.getKey(), removal.getValue()));
      }
    }
    failure.rethrow();
  }

  /** What locks directories for a transaction. */
  public DirectoryLocker locker(String id, FsPath coordinator) {
    return new DirectoryLocker(
        indexes,
        freeNames.forTransaction(id, coordinator).forOneCall(),
        deferredDeletions,
        closingDirectories,
        splitter,
        finisher,
        ledger,
        limit,
        id,
        coordinator);
  }
}
