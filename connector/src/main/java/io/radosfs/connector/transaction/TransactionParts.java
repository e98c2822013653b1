package io.radosfs.connector.transaction;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.KeptData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.ObjectStore;
import java.time.Duration;

/**
 * The index of one file system and all that reads and changes it under transactions, put together.
 *
 * @param reader reads as stored
 * @param writer changes under guards
 * @param visible reads as of one instant, with transactions resolved
 * @param freeNames views for those who want to change names
 * @param reclaimer deletes what nothing refers to
 * @param openIndexes makes directories
 * @param retention how long the data of replaced files is kept
 * @param keptData which is kept
 */
public record TransactionParts(
    IndexReader reader,
    IndexWriter writer,
    VisibleIndex visible,
    FreeNames freeNames,
    Reclaimer reclaimer,
    OpenIndexes openIndexes,
    Decisions decisions,
    Settler settler,
    StoredChildren storedChildren,
    ProcessLedger ledger,
    Retention retention,
    KeptData keptData) {

  /**
   * Puts the parts together.
   *
   * @param index where the directory indexes are
   * @param patience how long to wait for another's transaction
   */
  public static TransactionParts of(
      ObjectStore index,
      DataRemover data,
      ProcessLedger ledger,
      Duration patience,
      Retention retention,
      KeptData keptData) {
    IndexReader reader = new IndexReader(index);
    IndexWriter writer = new IndexWriter(index, reader);
    Decisions decisions = new Decisions(reader);
    Settler settler = new Settler(reader, writer, retention);
    FreeNames freeNames = new FreeNames(reader, writer, decisions, settler, patience);
    Reclaimer reclaimer =
        new Reclaimer(index, reader, writer, freeNames, data, retention, keptData);
    return new TransactionParts(
        reader,
        writer,
        new VisibleIndex(reader, decisions),
        freeNames,
        reclaimer,
        new OpenIndexes(reader, writer, freeNames, reclaimer, ledger),
        decisions,
        settler,
        new StoredChildren(reader),
        ledger,
        retention,
        keptData);
  }

  /**
   * Transactions on this index.
   *
   * @param newDirectories attributes of directories that transactions make
   */
  public Transactions transactions(Attributes newDirectories, DirectoryLoop loop) {
    return new IndexedTransactions(this, newDirectories, loop);
  }

  Stager stager(String id, FsPath decider) {
    return new Stager(this, id, decider);
  }
}
