// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.resolve.MovedTrees;
import io.radosfs.connector.transaction.resolve.Resolver;
import java.io.IOException;

/** Resolves decided renames, also those of other clients. */
public final class MoveResolution {

  private final MovedTrees trees;
  private final Resolver resolver;
  private final DeferredDeletions deferredDeletions;
  private final Transactions transactions;

  public MoveResolution(
      IndexReader reader,
      Resolver resolver,
      DeferredDeletions deferredDeletions,
      Transactions transactions) {
    this.trees = new MovedTrees(reader, resolver);
    this.resolver = resolver;
    this.deferredDeletions = deferredDeletions;
    this.transactions = transactions;
  }

  /** Resolves a decided rename everywhere, then forgets it. */
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
      deferredDeletions.carryOut(move.coordinator());
    } else if (resolveName(move, move.destination(), committed)) {
      deferredDeletions.carryOut(move.coordinator(), move.destination().name());
    }
    transactions.forget(move.registration());
  }

  private void resolveTree(Move move, FsPath top, boolean committed) throws IOException {
    trees.resolve(IndexObject.head(top), move, committed);
  }

  private boolean resolveName(Move move, FsPath path, boolean committed) throws IOException {
    return resolver.resolveName(path.parent(), path.name(), move.id(), committed);
  }

  /** Takes back what an aborted rename has prepared in a new index. */
  void withdraw(Move move, FsPath directory) throws IOException {
    boolean unused = resolver.resolve(directory, move.id(), false);
  }
}
