// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * The indexes that one call makes for a transaction, locked, where a directory that it removes or
 * moves is empty and has none. Another client may have removed the directory before, perhaps for
 * the same transaction. Then only the ledger of this process leads to the index, so each has a line
 * there until it is removed or resolved.
 *
 * <p>Thread-safe.
 */
public final class IndexesMadeLocked {

  private final IndexWriter writer;
  private final ProcessLedger ledger;
  private final String id;
  private final Map<FsPath, Made> made = new ConcurrentHashMap<>();

  /** Whether the operation that decides may have been sent. */
  private volatile boolean mayBeDecided;

  /** The mark of an index, and its line in the ledger. */
  private record Made(TransactionMark mark, String line) {}

  /**
   * @param id of the transaction
   */
  IndexesMadeLocked(IndexWriter writer, ProcessLedger ledger, String id) {
    this.writer = writer;
    this.ledger = ledger;
    this.id = id;
  }

  /**
   * Makes the missing index of an empty directory, locked, so that nobody adds to it. Two writes.
   * Returns false if there is one by now.
   */
  boolean make(FsPath directory, DataLayout layout, TransactionMark mark) throws IOException {
    String line = ledger.beginIndex(directory);
    TransactionMark inMade = mark.inMadeIndex();
    Made before = made.put(directory, new Made(inMade, line));
    if (before != null) {
      ledger.crossOut(before.line());
    }
    return writer.applyUnseen(
        IndexChange.creating(directory, IndexHead.frozen(id))
            .evenIfFull() // it goes with the transaction
            .set(IndexKeys.transaction(id), inMade.encode())
            .layout(DataLayout.DEFAULT, layout)
            .transactional());
  }

  /** Notes that an index object has another mark now. */
  void hasMark(IndexObject index, TransactionMark mark) {
    made.computeIfPresent(index.directory(), (directory, before) -> new Made(mark, before.line()));
  }

  /**
   * Runs a step of the transaction. If it fails, the indexes are removed; but not if the operation
   * that decides may still take effect. Until then they keep others from adding to directories that
   * it removes. They go when the transaction is resolved, and the ledger leads to them.
   */
  public <T> T takingBack(CallableRaisingIOE<T> step) throws IOException {
    boolean done = false;
    try {
      T result = step.apply();
      done = true;
      return result;
    } catch (IOException e) {
      if (!mayYetBeDecided(e) && !Failures.hasWaitedInFull(e)) {
        takeBack(e);
      }
      throw e;
    } finally {
      if (!done) {
        leave();
      }
    }
  }

  private void takeBack(IOException failure) {
    try {
      FollowUp.evenIfInterrupted(this::removeInVain);
    } catch (IOException more) {
      failure.addSuppressed(more);
    }
  }

  /** Leaves those that are not removed to the ledger: the call ends. No operation. */
  public void leave() {
    made.values().forEach(index -> ledger.leave(index.line()));
  }

  private boolean mayYetBeDecided(IOException failure) {
    return mayBeDecided
        && (failure instanceof OutcomeUnknownException
            || failure instanceof InterruptedIOException);
  }

  /** Notes that the operation that decides is sent from now on. */
  void decides() {
    mayBeDecided = true;
  }

  /**
   * Removes those that are still locked: the preparation failed, or another client had removed the
   * directory already. They are empty, and a missing index reads as empty too. To be called when
   * the transaction is resolved, or will not be committed by this process. Then the ledger leads to
   * none of them any more. One write for each.
   */
  public void removeInVain() throws IOException {
    for (Map.Entry<FsPath, Made> index : made.entrySet()) {
      // Refused if others have resolved it, which leaves nothing of it either.
      boolean unused =
          writer.apply(
              IndexChange.of(index.getKey(), IndexHead.frozen(id))
                  .expect(IndexKeys.transaction(id), index.getValue().mark().encode())
                  .removeIndex());
      ledger.crossOut(index.getValue().line());
      made.remove(index.getKey());
    }
  }
}
