// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.Ledgers.Line;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;

/**
 * Changes the lines of ledgers in {@link ObjectNames#LEDGERS}. A ledger and its line are two
 * objects, which no operation changes together. So that no ledger is there without a line, however
 * late an operation comes:
 *
 * <ul>
 *   <li>a ledger is listed before it is made, and a line goes after its ledger;
 *   <li>a collector that removes a ledger gives the line a new value before ({@link #mark}), and
 *       removes the line only with that value;
 *   <li>a process or collector that has made a ledger looks at the line after that, and lists the
 *       ledger anew unless the line has the value that it knows ({@link #keep}).
 * </ul>
 *
 * <p>If a ledger is made after others have removed it, the look finds the new value, or no line.
 * Thread-safe; holds no state of its own.
 */
final class LedgerLines {

  private final ObjectStore store;

  LedgerLines(ObjectStore store) {
    this.store = store;
  }

  /** Lists a ledger before it is made, unless it is listed. One write. */
  void register(Line line) throws IOException {
    // A try that arrives late must not overwrite a collector's mark on the line.
    WriteOp op =
        WriteOp.builder()
            .evenIfFull()
            .createIfMissing()
            .absentOmap(line.key())
            .setOmap(line.key(), line.value())
            .build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(() -> store.write(ObjectNames.LEDGERS, op), Kind.GUARD_FAILED);
  }

  /** Returns false if the line has gone, or was marked by another collector. One write. */
  boolean mark(Line listed, Line marked) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .evenIfFull()
            .assertExists()
            .compareOmap(listed.key(), listed.value())
            .setOmap(listed.key(), marked.value())
            .build();
    return RepeatableOps.accepted(
            () -> store.write(ObjectNames.LEDGERS, op), Kind.GUARD_FAILED, Kind.NOT_FOUND)
        .isAccepted();
  }

  /**
   * Lists a ledger anew that was just made, unless its line is still as it was. One read; one write
   * more if the line was touched.
   *
   * @return the line now
   */
  Line keep(Line known) throws IOException {
    ReadOp look = ReadOp.builder().omapByKeys(Set.of(known.key())).build();
    boolean untouched =
        Reads.find(store, ObjectNames.LEDGERS, look)
            .map(result -> result.omap(0).get(known.key()))
            .filter(value -> Arrays.equals(known.value(), value))
            .isPresent();
    if (untouched) {
      return known;
    }
    Line again = Line.marked(known, Uid.random());
    WriteOp op =
        WriteOp.builder()
            .evenIfFull()
            .createIfMissing()
            .setOmap(again.key(), again.value())
            .build();
    RepeatableOps.repeat(() -> store.write(ObjectNames.LEDGERS, op));
    return again;
  }

  /** Removes a line, if it is still as it was. One write. */
  void remove(Line line) throws IOException {
    WriteOp removal =
        WriteOp.builder()
            .assertExists()
            .compareOmap(line.key(), line.value())
            .removeOmap(line.key())
            .build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(
            () -> store.write(ObjectNames.LEDGERS, removal), Kind.GUARD_FAILED, Kind.NOT_FOUND);
  }
}
