// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * What a transaction does, directory by directory. The changes of a directory are given in pieces,
 * so that those of very many files need not all be in memory as objects. Every call gives the same
 * changes. Several threads may call.
 */
public interface TransactionChanges {

  /** Takes one piece of a directory's changes, which fits an operation. */
  @FunctionalInterface
  interface Visitor {
    void visit(DirectoryChange piece) throws IOException;
  }

  /** Every directory in which names are added or removed. */
  Set<FsPath> directories();

  /** How many names are changed in a directory; 0 if none is. */
  int size(FsPath directory);

  /**
   * An upper bound of the bytes that an operation carries for all names of a directory, as {@link
   * io.radosfs.connector.layout.EntryCodec#mostBytes} has it.
   */
  long bytes(FsPath directory);

  /** The layout of a directory, if the transaction makes it. */
  DataLayout layout(FsPath directory);

  /**
   * Gives the changes of a directory piece by piece. Each name is in one piece; if all changes fit,
   * there is one piece. Gives nothing for a directory that is not in {@link #directories}.
   *
   * @param limit of a piece
   */
  void visit(FsPath directory, BatchLimit limit, Visitor visitor) throws IOException;

  /** Changes that are in memory as objects. */
  static TransactionChanges of(Map<FsPath, DirectoryChange> changes) {
    return new TransactionChanges() {
      @Override
      public Set<FsPath> directories() {
        return changes.keySet();
      }

      @Override
      public int size(FsPath directory) {
        return in(directory).names().size();
      }

      @Override
      public long bytes(FsPath directory) {
        return in(directory).bytes();
      }

      @Override
      public DataLayout layout(FsPath directory) {
        return in(directory).layout();
      }

      @Override
      public void visit(FsPath directory, BatchLimit limit, Visitor visitor) throws IOException {
        for (DirectoryChange piece : in(directory).pieces(limit)) {
          visitor.visit(piece);
        }
      }

      private DirectoryChange in(FsPath directory) {
        return changes.getOrDefault(directory, DirectoryChange.none());
      }
    };
  }
}
