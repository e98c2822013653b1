// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.commit.TransactionEnds;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.resolve.MovedTrees;
import io.radosfs.connector.transaction.resolve.Resolver;
import java.io.IOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves decided renames, also those of other clients. */
public final class MoveResolution {

  private static final Logger LOG = LoggerFactory.getLogger(MoveResolution.class);

  private final MovedTrees trees;
  private final Resolver resolver;
  private final DeferredDeletions deferredDeletions;
  private final TransactionEnds transactions;

  public MoveResolution(
      IndexReader reader,
      Resolver resolver,
      DeferredDeletions deferredDeletions,
      TransactionEnds transactions) {
    this.trees = new MovedTrees(reader, resolver);
    this.resolver = resolver;
    this.deferredDeletions = deferredDeletions;
    this.transactions = transactions;
  }

  /**
   * Resolves a decided rename of another client everywhere, then forgets it. It looks for the new
   * name too: whether that was prepared by itself only its client knows, as the new parent may have
   * been split, or made anew, since the rename was met.
   *
   * <p>What could not be deleted of all that is listed there stays listed, and is logged: the call
   * that has met the rename does something else.
   */
  void finish(Move move, boolean committed) throws IOException {
    FirstFailure left = new FirstFailure();
    boolean unused = resolve(move, /* apart= */ true, committed);
    forget(move, () -> deferredDeletions.carryOut(move.coordinator()), left);
    left.first()
        .ifPresent(
            e ->
                LOG.warn(
                    "{} has ended, but not all that is listed for deletion in {} could be deleted;"
                        + " the next change there, or radosfs gc, does",
                    move.what(),
                    move.coordinator(),
                    e));
  }

  /**
   * The same of a rename of this client.
   *
   * @param apart whether the new name was prepared by itself, as it is in a shard
   * @param left gets what could not be deleted of all that is listed there, also by others. It
   *     stays listed, and the rename is resolved nevertheless
   * @throws IOException if the rename is not resolved, or not forgotten
   */
  void finish(Move move, boolean apart, boolean committed, FirstFailure left) throws IOException {
    boolean resolved = resolve(move, apart, committed);
    forget(
        move,
        () -> {
          if (!apart) {
            deferredDeletions.carryOut(move.coordinator());
          } else if (resolved) {
            deferredDeletions.carryOut(move.coordinator(), move.destination().name());
          }
        },
        left);
  }

  /**
   * Forgets a resolved rename once what it has replaced is deleted, or cannot be: its status record
   * would keep the directory from being deleted, and does not lead to what is listed.
   */
  private void forget(Move move, InvocationRaisingIOE deletions, FirstFailure left)
      throws IOException {
    left.attempt(deletions);
    if (left.isEnd()) {
      left.rethrow();
    }
    transactions.forget(move.registration());
  }

  /** Returns whether the new name was resolved by itself. */
  private boolean resolve(Move move, boolean apart, boolean committed) throws IOException {
    if (committed) {
      resolveTree(move, move.destination(), true);
    }
    resolveTree(move, move.source(), committed);
    if (!committed) {
      resolveTree(move, move.destination(), false);
    }
    if (!move.withinParent() || apart) {
      boolean unused = resolveName(move, move.source(), committed);
    }
    return apart && resolveName(move, move.destination(), committed);
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
