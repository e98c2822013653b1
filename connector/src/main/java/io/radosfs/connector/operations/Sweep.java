package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.Moves;
import io.radosfs.connector.transaction.TransactionParts;
import io.radosfs.connector.transaction.VisibleChild;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finishes in a tree what crashed clients left: renames, decided transactions, removals of
 * directories, splittings, data listed for deletion. Jobs are left alone. A rename that is still
 * under way is aborted and tried again by its client, so that a sweep is safe at any time.
 */
public final class Sweep {

  private final TransactionParts parts;
  private final Moves moves;

  public Sweep(TransactionParts parts, Moves moves) {
    this.parts = parts;
    this.moves = moves;
  }

  /** Sweeps a directory and all below it; a few reads for each. */
  public void sweep(FsPath directory) throws IOException {
    moves.recover(directory);
    parts.splitter().finish(directory);
    DirectoryView head = parts.reader().keys(directory, List.of());
    if (head.head().filter(h -> h.is(IndexHead.State.CLOSING)).isPresent()) {
      parts.reclaimer().finishRemoval(directory, new Uid(head.head().orElseThrow().tag()));
      return;
    }
    settleDecided(IndexObject.head(directory));
    if (head.isSharded()) {
      for (IndexObject shard : head.head().orElseThrow().shards().of(directory)) {
        settleDecided(shard);
      }
    }
    parts.splitter().clear(directory);
    for (VisibleChild child : parts.visible().list(directory)) {
      if (child.entry() instanceof Entry.OfDirectory) {
        sweep(child.path());
      }
    }
    parts.reclaimer().reclaim(directory);
    boolean unused = parts.splitter().splitIfLarge(directory, 0);
  }

  private void settleDecided(IndexObject index) throws IOException {
    DirectoryPage marks = parts.reader().page(index, IndexKeys.TRANSACTION_PREFIX, "");
    Set<String> ids = new HashSet<>();
    marks.entries().keySet().forEach(key -> ids.add(IndexKeys.transactionOf(key)));
    parts.freeNames().settleDecided(index, ids);
  }
}
