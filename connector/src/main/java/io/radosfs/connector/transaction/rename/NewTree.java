// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.transaction.commit.LockedTree;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.commit.Preparer;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The new indexes that a client makes for a tree that it renames. Another client may abort the
 * rename and clear away what it finds, while the first one, which does not know yet, goes on to
 * prepare below. Then only the ledger leads there, and the first client takes its indexes back.
 *
 * <p>For one try of a rename by one thread.
 */
final class NewTree {

  private final Move move;
  private final Preparation preparation;
  private final MoveResolution resolution;
  private final DirectoryGrowth growth;
  private final ProcessLedger ledger;
  private final Map<FsPath, Integer> names = new LinkedHashMap<>();
  private List<String> lines = List.of();

  NewTree(
      Move move,
      Preparation preparation,
      MoveResolution resolution,
      DirectoryGrowth growth,
      ProcessLedger ledger) {
    this.move = move;
    this.preparation = preparation;
    this.resolution = resolution;
    this.growth = growth;
    this.ledger = ledger;
  }

  /**
   * Prepares the indexes, parents before children; none for a directory without children. One write
   * for each that fits one operation, and one in the ledger for all of them.
   */
  void prepare(LockedTree old) throws IOException {
    Map<FsPath, FsPath> contents = new LinkedHashMap<>();
    for (FsPath directory : old.directories()) {
      if (old.names(directory) > 0) {
        contents.put(move.newPathOf(directory), directory);
        names.put(move.newPathOf(directory), old.names(directory));
      }
    }
    lines = ledger.beginIndexes(contents.keySet());
    Preparer preparer = preparation.preparer(move.id(), move.coordinator());
    for (Map.Entry<FsPath, FsPath> each : contents.entrySet()) {
      old.inBatches(each.getValue(), batch -> preparer.prepare(each.getKey(), batch, true));
    }
  }

  /** Takes back what was prepared of an aborted rename, children before parents. */
  void withdraw() throws IOException {
    List<FsPath> deepestFirst = new ArrayList<>(names.keySet());
    Collections.reverse(deepestFirst);
    for (FsPath directory : deepestFirst) {
      resolution.withdraw(move, directory);
    }
  }

  /** Notes that all is resolved: the ledger need not lead there any more. No RADOS operation. */
  void resolved() {
    lines.forEach(ledger::crossOut);
  }

  /** Leaves those that are not to the ledger: the try ends. No RADOS operation. */
  void leave() {
    lines.forEach(ledger::leave);
  }

  /** Counts the names as added to their new directories. */
  void grown() {
    names.forEach(growth::added);
  }
}
