package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Settles renames that are decided, also those of others. */
final class MoveSettlement {

  private final TransactionParts parts;
  private final IndexReader reader;
  private final Transactions transactions;

  MoveSettlement(TransactionParts parts, Transactions transactions) {
    this.parts = parts;
    this.reader = parts.reader();
    this.transactions = transactions;
  }

  /** Settles a decided move everywhere, then forgets it. */
  void finish(Move move, boolean sharded, boolean committed) throws IOException {
    if (committed) {
      settleNew(move, move.destination());
    }
    settleOld(move, move.source(), committed);
    if (!committed) {
      settleNew(move, move.destination());
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

  private boolean settleName(Move move, FsPath path, boolean committed) throws IOException {
    return parts.settler().settleName(path.parent(), path.name(), move.id(), committed);
  }

  /** New indexes, from the top down when committed and from the leaves up when withdrawn. */
  private void settleNew(Move move, FsPath directory) throws IOException {
    String key = IndexKeys.transaction(move.id());
    if (reader.keys(directory, List.of(key)).value(key).isEmpty()) {
      return;
    }
    List<String> below = new ArrayList<>();
    for (DirectoryPage page = reader.page(directory, IndexKeys.CLAIM_PREFIX, "");
        ;
        page = reader.page(directory, IndexKeys.CLAIM_PREFIX, page.lastKey())) {
      page.entries().keySet().forEach(claim -> below.add(IndexKeys.nameOf(claim)));
      if (!page.more()) {
        break;
      }
    }
    Optional<Transactions.State> state = transactions.state(move.registration());
    if (state.isEmpty()) {
      return; // somebody else has settled it everywhere since, and forgotten it
    }
    boolean committed = state.get() == Transactions.State.COMMITTED;
    if (committed) {
      below.addAll(parts.storedChildren().of(directory).keySet());
    }
    for (String name : below) {
      settleNew(move, directory.child(name));
    }
    parts.settler().settle(directory, move.id(), committed);
  }

  /** Frozen indexes, from the leaves up, so that what is left can be found from the top. */
  private void settleOld(Move move, FsPath directory, boolean committed) throws IOException {
    Optional<IndexHead> head = reader.keys(directory, List.of()).head();
    if (head.filter(h -> h.isFrozenBy(move.id())).isEmpty()) {
      return;
    }
    for (String name : parts.storedChildren().directories(directory).keySet()) {
      settleOld(move, directory.child(name), committed);
    }
    parts.settler().settle(directory, move.id(), committed);
  }
}
