package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.resolve.MovedTrees;
import io.radosfs.connector.transaction.wiring.TransactionParts;
import java.io.IOException;

/** Resolves renames that are decided, also those of others. */
final class MoveResolution {

  private final TransactionParts parts;
  private final MovedTrees trees;
  private final Transactions transactions;

  MoveResolution(TransactionParts parts, Transactions transactions) {
    this.parts = parts;
    this.trees = new MovedTrees(parts.reader(), parts.resolver());
    this.transactions = transactions;
  }

  /** Resolves a decided move everywhere, then forgets it. */
  void finish(Move move, boolean sharded, boolean committed) throws IOException {
    if (committed) {
      resolveTree(move, move.destination(), true);
    }
    resolveTree(move, move.source(), committed);
    if (!committed) {
      resolveTree(move, move.destination(), false);
    }
    if (!move.withinParent() || sharded) {
      boolean unused = resolveName(move, move.source(), committed);
    }
    if (!sharded) {
      parts.deferredDeletions().carryOut(move.coordinator());
    } else if (resolveName(move, move.destination(), committed)) {
      parts.deferredDeletions().carryOut(move.coordinator(), move.destination().name());
    }
    transactions.forget(move.registration());
  }

  private void resolveTree(Move move, FsPath top, boolean committed) throws IOException {
    trees.resolve(IndexObject.head(top), move, committed);
  }

  private boolean resolveName(Move move, FsPath path, boolean committed) throws IOException {
    return parts.resolver().resolveName(path.parent(), path.name(), move.id(), committed);
  }
}
