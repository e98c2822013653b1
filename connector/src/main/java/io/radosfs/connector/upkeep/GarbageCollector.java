// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.operations.Sweep;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;

/**
 * Removes what crashed processes left in a file system: renames and removals that stopped half-way,
 * deferred deletions, the files of ledgers without a recent heartbeat, and retained data that is
 * due.
 *
 * <p>Safe at any time, beside any number of live clients, and may stop anywhere and be repeated.
 * Clocks choose what is due, but safety does not depend on them: a live process that is taken for
 * dead cannot publish what is removed, and gets an error ({@link
 * io.radosfs.connector.ledger.LedgerTakenOverException}).
 *
 * <p>Whatever cannot be read or removed, or is not answered in time, is reported to the log and
 * counted there; the rest goes on. Only an interrupt ends a collection.
 *
 * <p>Cost: a few reads for each directory, two or more for each page of the index if files must be
 * searched for ({@link Leads}), a few operations for each ledger, three times {@value
 * RetainedData#OBJECTS} reads for replaced files, or four times after a restoration that died, and
 * the removals.
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
      ClosingDirectories closingDirectories,
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
            retention,
            new IndexCollector(indexes, freeNames, closingDirectories, log),
            remover,
            ledgers,
            log);
  }

  /**
   * Collects all garbage; replaced data that is due by now goes too.
   *
   * @param before ledgers without a heartbeat since then are taken over; milliseconds since the
   *     epoch. A ledger that was taken over before then is forgotten once nothing is left in it
   */
  public void collect(long before) throws IOException {
    collect(before, retention.clock().getAsLong());
  }

  /**
   * The same as {@link #collect(long)}, with another time for replaced data.
   *
   * @param replacedUntil see {@link #collectReplaced}
   */
  public void collect(long before, long replacedUntil) throws IOException {
    // First make room, as all else may need it.
    retainedData.collect(replacedUntil, log::removed, log::failed);
    sweep.sweep(FsPath.ROOT, log::failed);
    ledgers.collect(before);
    collectReplaced(replacedUntil);
  }

  /**
   * Removes data whose retention ends by then, and reports what is still retained.
   *
   * @param until milliseconds since the epoch; if in the future, readers of retained data may fail
   */
  public void collectReplaced(long until) throws IOException {
    retainedData.collect(until, log::removed, log::failed);
    retainedData.list(log::keeps, log::failed);
    log.reportReplaced();
  }

  /** Reports what {@link #collect} would take over, and what is retained. Only reads. */
  public void preview(long before) throws IOException {
    ledgers.preview(before);
    retainedData.list(log::wouldRemove, log::failed);
  }
}
