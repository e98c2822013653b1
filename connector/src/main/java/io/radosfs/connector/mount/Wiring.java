// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.PoolConsent;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.data.StripeTaker;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.operations.Deletion;
import io.radosfs.connector.operations.DirectoryDeletion;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.operations.IndexedNamespace;
import io.radosfs.connector.operations.KnownDirectories;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.Renaming;
import io.radosfs.connector.operations.Sweep;
import io.radosfs.connector.operations.WriteProbe;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.superblock.DataPools;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.commit.Decision;
import io.radosfs.connector.transaction.commit.IndexedTransactions;
import io.radosfs.connector.transaction.commit.OverwriteLock;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.commit.StatusRecords;
import io.radosfs.connector.transaction.commit.TransactionEnds;
import io.radosfs.connector.transaction.commit.TransactionResolution;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.removal.RemovalResolution;
import io.radosfs.connector.transaction.removal.Removals;
import io.radosfs.connector.transaction.rename.MoveResolution;
import io.radosfs.connector.transaction.rename.Moves;
import io.radosfs.connector.transaction.rename.Recovery;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Resolver;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import io.radosfs.connector.transaction.shard.Sharding;
import io.radosfs.connector.upkeep.Adoption;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import io.radosfs.connector.upkeep.PoolCheck;
import io.radosfs.connector.upkeep.Restoration;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Puts the parts of one file system together. It is the only place that does, with {@link JobParts}
 * for what jobs use, for a file system on a cluster ({@link Mount}) and for the clients of a
 * simulation, so both have the same parts. What differs between them is passed in. No RADOS
 * operation.
 */
public final class Wiring {

  /**
   * Where a file system is kept.
   *
   * @param index the pool of the index
   * @param indexPool the name of that pool
   * @param data the pools of the data
   * @param dataPool the name of the pool for data, unless a layout says otherwise
   * @param objectSize bytes of an object of a file, unless a layout says otherwise
   * @param root attributes of the root, which has no entry
   */
  public record Place(
      ObjectStore index,
      String indexPool,
      DataStores data,
      String dataPool,
      int objectSize,
      Attributes root) {}

  /**
   * How the file system is worked on.
   *
   * @param clock milliseconds since the epoch
   * @param retries how changes are tried again that lost to another client
   * @param loop how work on several directories is run
   * @param later when retained data is collected
   */
  public record Means(
      LongSupplier clock, Retries retries, DirectoryLoop loop, RetainedData.Later later) {}

  /**
   * Limits of size and time.
   *
   * @param longestWait how long to wait for another client's transaction
   * @param sharding when the names of a directory are spread over shards
   * @param retention how long the data of replaced files is kept
   * @param batch how much goes into one operation, of a list of any length
   * @param removals operations at a time when data is removed
   */
  public record Limits(
      Duration longestWait,
      Sharding sharding,
      Retention retention,
      BatchLimit batch,
      int removals) {}

  private final Place place;
  private final Means means;
  private final Limits limits;
  private final DataRemover remover;
  private final ProcessLedger ledger;
  private final RetainedData retainedData;
  private final RemovedJobs removedJobs;
  private final Indexes indexes;
  private final TransactionStatuses statuses;
  private final VisibleIndex visible;
  private final Resolver resolver;
  private final IndexSplitter splitter;
  private final DirectoryGrowth growth;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final ClosingDirectories closingDirectories;
  private final OpenIndexes openIndexes;
  private final StatusRecords statusRecords;
  private final TransactionResolution transactionResolution;
  private final Preparation preparation;
  private final Decision decision;
  private final Removals removals;
  private final Recovery recovery;
  private final KnownDirectories known = new KnownDirectories();
  private final Namespace namespace;
  private final DataPools pools;
  private final DirectoryLayouts layouts;

  public Wiring(Place place, Means means, Limits limits) {
    this.place = place;
    this.means = means;
    this.limits = limits;
    ObjectStore index = place.index();
    DirectoryLoop loop = means.loop();
    PoolConsent consent = new PoolConsent(place.indexPool());
    this.remover = new DataRemover(consent.agreeing(place.data()), limits.removals());
    this.ledger = new ProcessLedger(index, means.clock());
    this.retainedData = new RetainedData(index, remover, means.later());
    this.removedJobs = new RemovedJobs(index);
    this.indexes = Indexes.of(index, means.retries());
    IndexReader reader = indexes.reader();

    this.statuses = new TransactionStatuses(reader);
    this.visible = new VisibleIndex(indexes, statuses);
    this.splitter = new IndexSplitter(indexes, ledger, limits.sharding(), loop, limits.batch());
    this.growth = new DirectoryGrowth(splitter, indexes.router(), limits.sharding());
    this.resolver = new Resolver(indexes, limits.retention(), loop, limits.batch());
    this.freeNames = new FreeNames(indexes, statuses, resolver, splitter, limits.longestWait());
    ListedData listedData = new ListedData(index, remover, limits.retention(), retainedData);
    this.deferredDeletions = new DeferredDeletions(indexes, freeNames, listedData, removedJobs);
    this.closingDirectories =
        new ClosingDirectories(indexes, freeNames, deferredDeletions, listedData);
    this.openIndexes = new OpenIndexes(indexes, visible, freeNames, closingDirectories, ledger);
    this.statusRecords = new StatusRecords(indexes, openIndexes, statuses, removedJobs);
    this.transactionResolution = new TransactionResolution(indexes, resolver, deferredDeletions);
    TransactionEnds ends =
        new TransactionEnds(statusRecords, transactionResolution, DirectoryLoop.sequential());
    MoveResolution moveResolution = new MoveResolution(reader, resolver, deferredDeletions, ends);
    RemovalResolution removalResolution = new RemovalResolution(ends);
    this.recovery =
        new Recovery(
            new StoredTransactionStatuses(reader), ends, moveResolution, removalResolution);
    this.preparation =
        new Preparation(
            indexes,
            freeNames,
            deferredDeletions,
            closingDirectories,
            splitter,
            recovery,
            ledger,
            loop,
            limits.batch());
    this.decision = new Decision(indexes, freeNames, statuses, limits.retention());

    Transactions own = transactions(place.root(), DirectoryLoop.sequential());
    this.removals =
        new Removals(
            own, preparation, decision, removalResolution, visible, new StoredChildren(reader));
    Moves moves =
        new Moves(
            indexes,
            freeNames,
            own,
            preparation,
            moveResolution,
            growth,
            ledger,
            limits.retention());

    Deletion deletion =
        new Deletion(
            indexes,
            visible,
            freeNames,
            listedData,
            new DirectoryDeletion(
                indexes,
                visible,
                closingDirectories,
                new StoredChildren(reader),
                ledger,
                recovery,
                removals));
    this.namespace =
        new IndexedNamespace(
            indexes,
            visible,
            freeNames,
            openIndexes,
            listedData,
            growth,
            limits.retention(),
            limits.batch(),
            ledger,
            deletion,
            new Renaming(
                indexes, visible, freeNames, listedData, limits.retention(), moves, deletion),
            known,
            place.root());
    this.pools = new DataPools(index);
    this.layouts =
        new DirectoryLayouts(
            indexes,
            visible,
            freeNames,
            openIndexes,
            pools,
            new WriteProbe(place.data(), remover, ledger, consent),
            known,
            layout -> layout.beside(place.dataPool(), place.objectSize()));
  }

  /**
   * Returns transactions on the tree of names.
   *
   * @param newDirectories attributes of directories that they make
   * @param loop how their directories are worked on
   */
  public Transactions transactions(Attributes newDirectories, DirectoryLoop loop) {
    return new IndexedTransactions(
        statusRecords,
        new OverwriteLock(indexes, freeNames, statuses, openIndexes, newDirectories),
        preparation,
        decision,
        transactionResolution,
        visible,
        openIndexes,
        growth,
        limits.batch(),
        newDirectories,
        loop,
        known::forgetBelow);
  }

  /** Where the file system is kept. */
  Place place() {
    return place;
  }

  /** The tree of names. */
  public Namespace namespace() {
    return namespace;
  }

  /** The data pools and object sizes of new files, by directory. */
  public DirectoryLayouts layouts() {
    return layouts;
  }

  /** The pools that layouts have named. */
  public DataPools pools() {
    return pools;
  }

  /** The ledger of this process. */
  public ProcessLedger ledger() {
    return ledger;
  }

  /** Returns the remover of files' data. */
  public DataRemover remover() {
    return remover;
  }

  /** The most that one operation takes. */
  public BatchLimit batchLimit() {
    return limits.batch();
  }

  /** The indexes as stored. */
  public Indexes indexes() {
    return indexes;
  }

  /** The indexes as readers see them. */
  public VisibleIndex visible() {
    return visible;
  }

  public IndexSplitter splitter() {
    return splitter;
  }

  public DeferredDeletions deferredDeletions() {
    return deferredDeletions;
  }

  public OpenIndexes openIndexes() {
    return openIndexes;
  }

  public Preparation preparation() {
    return preparation;
  }

  public Removals removals() {
    return removals;
  }

  public RetainedData retainedData() {
    return retainedData;
  }

  /** Returns the registered jobs. */
  public JobRegistry jobRegistry() {
    return new JobRegistry(
        namespace,
        transactions(place.root(), means.loop()),
        removedJobs,
        new StoredChildren(indexes.reader()),
        means.loop());
  }

  /** Returns what finishes, in a tree, the work of crashed clients. */
  public Sweep sweep() {
    return new Sweep(
        indexes,
        visible,
        freeNames,
        deferredDeletions,
        closingDirectories,
        splitter,
        new StoredChildren(indexes.reader()),
        recovery);
  }

  /**
   * Returns a collector of what crashed processes left.
   *
   * @param clock by which ledgers are taken over, milliseconds since the epoch
   */
  public GarbageCollector collector(CollectionLog log, LongSupplier clock) {
    return new GarbageCollector(
        indexes,
        freeNames,
        closingDirectories,
        retainedData,
        limits.retention(),
        sweep(),
        remover,
        new Ledgers(place.index(), clock),
        log);
  }

  /**
   * Returns what makes files of objects that other programs wrote.
   *
   * @param data the pool of files whose entry names none
   */
  public Adoption adoption(ObjectStore data) {
    return new Adoption(
        data, place.indexPool(), namespace, indexes.reader(), retainedData, place.objectSize());
  }

  /** Returns what makes files of the data of replaced files. */
  public Restoration restoration() {
    DataStores data = new PoolConsent(place.indexPool()).agreeing(place.data());
    return new Restoration(
        namespace,
        ledger,
        retainedData,
        new StripeTaker(data, means.retries(), limits.removals()),
        sweep(),
        deferredDeletions);
  }

  /** Returns a comparison of all objects with what leads to them. */
  public PoolCheck check(PoolCheck.PoolOpener opener) {
    return new PoolCheck(
        place.index(), place.dataPool(), pools, opener, indexes.reader(), retainedData);
  }
}
