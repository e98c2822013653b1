package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import java.io.IOException;

/** Settles renames that are decided, also those of others. */
final class MoveSettlement {

  private final TransactionParts parts;
  private final MovedTrees trees;
  private final Transactions transactions;

  MoveSettlement(TransactionParts parts, Transactions transactions) {
    this.parts = parts;
    this.trees = new MovedTrees(parts.reader(), parts.settler());
    this.transactions = transactions;
  }

  /** Settles a decided move everywhere, then forgets it. */
  void finish(Move move, boolean sharded, boolean committed) throws IOException {
    if (committed) {
      settleTree(move, move.destination(), true);
    }
    settleTree(move, move.source(), committed);
    if (!committed) {
      settleTree(move, move.destination(), false);
    }
    if (!move.withinParent() || sharded) {
      boolean unused = settleName(move, move.source(), committed);
    }
    if (!sharded) {
      parts.reclaimer().reclaim(move.decider());
    } else if (settleName(move, move.destination(), committed)) {
      parts.reclaimer().reclaim(move.decider(), move.destination().name());
    }
    transactions.forget(move.registration());
  }

  private void settleTree(Move move, FsPath top, boolean committed) throws IOException {
    trees.settle(IndexObject.head(top), move, committed);
  }

  private boolean settleName(Move move, FsPath path, boolean committed) throws IOException {
    return parts.settler().settleName(path.parent(), path.name(), move.id(), committed);
  }
}
