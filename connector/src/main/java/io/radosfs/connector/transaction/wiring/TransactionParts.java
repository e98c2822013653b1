package io.radosfs.connector.transaction.wiring;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.commit.DirectoryLocker;
import io.radosfs.connector.transaction.commit.IndexedTransactions;
import io.radosfs.connector.transaction.commit.Preparer;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Resolver;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import io.radosfs.connector.transaction.shard.Sharding;
import java.time.Duration;
import java.util.Optional;

/**
 * The index of one file system and all that reads and changes it under transactions, put together.
 *
 * @param reader reads as stored
 * @param router finds the index object that a name is in
 * @param writer changes under guards
 * @param visible reads as of one instant, with transactions resolved
 * @param freeNames views for those who want to change names
 * @param deferredDeletions deletes what nothing refers to
 * @param openIndexes makes directories
 * @param splitter spreads the names of a directory over shards
 * @param growth has that done in time
 * @param retention how long the data of replaced files is kept
 * @param retainedData which is kept
 * @param loop how several objects of one directory are worked on
 * @param retries how changes are tried again that others were faster with
 * @param limit how much of what there may be any amount of goes into one operation
 */
public record TransactionParts(
    IndexReader reader,
    IndexWriter writer,
    ShardRouter router,
    VisibleIndex visible,
    FreeNames freeNames,
    DeferredDeletions deferredDeletions,
    OpenIndexes openIndexes,
    IndexSplitter splitter,
    DirectoryGrowth growth,
    TransactionStatuses statuses,
    Resolver resolver,
    StoredChildren storedChildren,
    StoredTransactionStatuses storedStatuses,
    ProcessLedger ledger,
    Retention retention,
    RetainedData retainedData,
    DirectoryLoop loop,
    Retries retries,
    BatchLimit limit) {

  /** Puts the parts together, with the limit that operations have as a rule. */
  public static TransactionParts of(
      ObjectStore index,
      DataRemover data,
      ProcessLedger ledger,
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      RetainedData retainedData,
      DirectoryLoop loop,
      Retries retries) {
    return of(
        index,
        data,
        ledger,
        longestWait,
        sharding,
        retention,
        retainedData,
        loop,
        retries,
        BatchLimit.DEFAULT);
  }

  /**
   * Puts the parts together.
   *
   * @param index where the directory indexes are
   * @param longestWait how long to wait for another's transaction
   * @param loop how several objects of one directory are worked on
   * @param retries how changes are tried again that others were faster with
   * @param limit how much of what there may be any amount of goes into one operation
   */
  public static TransactionParts of(
      ObjectStore index,
      DataRemover data,
      ProcessLedger ledger,
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      RetainedData retainedData,
      DirectoryLoop loop,
      Retries retries,
      BatchLimit limit) {
    IndexReader reader = new IndexReader(index);
    IndexWriter writer = new IndexWriter(index, reader);
    TransactionStatuses statuses = new TransactionStatuses(reader);
    ShardRouter router = new ShardRouter(reader, retries);
    Resolver resolver = new Resolver(reader, writer, router, retention, loop, limit, retries);
    IndexSplitter splitter =
        new IndexSplitter(reader, writer, router, ledger, sharding, loop, limit, retries);
    FreeNames freeNames =
        new FreeNames(
            reader,
            writer,
            statuses,
            resolver,
            router,
            splitter,
            longestWait,
            retries,
            Optional.empty());
    DeferredDeletions deferredDeletions =
        new DeferredDeletions(
            index, reader, writer, router, freeNames, data, retention, retainedData, retries);
    return new TransactionParts(
        reader,
        writer,
        router,
        new VisibleIndex(reader, router, statuses, retries),
        freeNames,
        deferredDeletions,
        new OpenIndexes(reader, writer, router, freeNames, deferredDeletions, ledger, retries),
        splitter,
        new DirectoryGrowth(splitter, router, sharding),
        statuses,
        resolver,
        new StoredChildren(reader),
        new StoredTransactionStatuses(reader),
        ledger,
        retention,
        retainedData,
        loop,
        retries,
        limit);
  }

  /**
   * Transactions on this index.
   *
   * @param newDirectories attributes of directories that transactions make
   */
  public Transactions transactions(Attributes newDirectories, DirectoryLoop loop) {
    return indexed(newDirectories, loop);
  }

  public IndexedTransactions indexed(Attributes newDirectories, DirectoryLoop loop) {
    return new IndexedTransactions(this, newDirectories, loop);
  }

  public Preparer preparer(String id, FsPath coordinator) {
    return new Preparer(this, id, coordinator, Optional.empty());
  }

  /** One that writes down the indexes that it makes, as others may end the transaction. */
  public Preparer preparerBesideOthers(String id, FsPath coordinator) {
    return new Preparer(this, id, coordinator, Optional.of(ledger));
  }

  public DirectoryLocker locker(String id, FsPath coordinator) {
    return new DirectoryLocker(this, id, coordinator);
  }
}
