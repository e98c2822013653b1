// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.operations.Sweep;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;

/**
 * Removes what crashed processes left in a file system: renames and removals that stopped half-way,
 * data that is listed to be deleted, and the files of ledgers that nobody has renewed for a while.
 * Also data of replaced files that has been kept for as long as it was to be.
 *
 * <p>Safe at any time, beside any number of live clients, and may stop anywhere and be repeated.
 * What is due is chosen by clocks, but no clock makes it safe: a live process taken for dead cannot
 * publish what is removed, and is told so ({@link
 * io.radosfs.connector.ledger.LedgerTakenOverException}).
 *
 * <p>What cannot be read, removed or asked for in time is told to the log, and counted there; the
 * rest goes on. Only an interrupt ends a collection.
 *
 * <p>Cost: a few reads for each directory, two or more for each page of the index if a file has to
 * be searched for ({@link Leads}), a few operations for each ledger, three times {@value
 * RetainedData#OBJECTS} reads for replaced files, and the removals.
 */
public final class GarbageCollector {

  private final RetainedData retainedData;
  private final Retention retention;
  private final Sweep sweep;
  private final LedgerCollector ledgers;
  private final CollectionLog log;

  /**
   * @param log told of all that is done
   */
  public GarbageCollector(
      Indexes indexes,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      RetainedData retainedData,
      Retention retention,
      Sweep sweep,
      DataRemover remover,
      Ledgers ledgers,
      CollectionLog log) {
    this.retainedData = retainedData;
    this.retention = retention;
    this.log = log;
    this.sweep = sweep;
    this.ledgers =
        new LedgerCollector(
            indexes,
            retainedData,
            new IndexCollector(indexes, freeNames, deferredDeletions, log),
            remover,
            ledgers,
            log);
  }

  /**
   * Collects.
   *
   * @param before ledgers not renewed since then are taken over; milliseconds since the epoch. One
   *     that was taken over before then is forgotten once nothing is left of it
   */
  public void collect(long before) throws IOException {
    collect(before, retention.clock().getAsLong());
  }

  /**
   * The same.
   *
   * @param replacedUntil data of replaced files goes that is kept no longer than until then; see
   *     {@link #collectReplaced}
   */
  public void collect(long before, long replacedUntil) throws IOException {
    // First what makes room, as all else may need it.
    retainedData.collect(replacedUntil, log::removed, log::failed);
    sweep.sweep(FsPath.ROOT, log::failed);
    ledgers.collect(before);
    collectReplaced(replacedUntil);
  }

  /**
   * Removes the data of replaced files that is kept no longer than until then, and tells what is
   * kept still.
   *
   * @param until milliseconds since the epoch; after now, readers of what was to be kept fail
   */
  public void collectReplaced(long until) throws IOException {
    retainedData.collect(until, log::removed, log::failed);
    retainedData.list(log::keeps, log::failed);
    log.reportReplaced();
  }

  /** Tells what {@link #collect} would take over, and what is kept. Reads alone. */
  public void preview(long before) throws IOException {
    ledgers.preview(before);
    retainedData.list(log::wouldRemove, log::failed);
  }
}
