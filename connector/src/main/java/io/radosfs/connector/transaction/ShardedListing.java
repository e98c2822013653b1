package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The children of a directory with shards, a shard at a time, all of one instant as far as
 * transactions go (I5).
 *
 * <p>First the marks and {@code h.transactions} of all shards are read, then how the transactions
 * stand is asked, then the children are read. A shard whose {@code h.transactions} is another by
 * then was changed since; where no shard was, all were as read at the instant after the first
 * reading.
 *
 * <p>For one thread.
 */
final class ShardedListing {

  /**
   * A shard as it was in the first reading.
   *
   * @param ids the transactions in it
   */
  private record Seen(DirectoryView view, Set<String> ids) {}

  private final FsPath directory;
  private final Shards shards;
  private final IndexReader reader;
  private final Decisions decisions;
  private final Set<String> forgotten;
  private final List<Seen> seen = new ArrayList<>();
  private final Resolution resolution;
  private int next;

  /**
   * @param resolution knows what the head object has told
   * @param forgotten transactions whose decision was not found; see {@link VisibleIndex}
   */
  ShardedListing(
      FsPath directory,
      Shards shards,
      IndexReader reader,
      Decisions decisions,
      Resolution resolution,
      Set<String> forgotten) {
    this.directory = directory;
    this.shards = shards;
    this.reader = reader;
    this.decisions = decisions;
    this.resolution = resolution;
    this.forgotten = forgotten;
  }

  /** Does the first reading: one read for each shard. False when all must begin again. */
  boolean begin() throws IOException {
    Set<String> all = new HashSet<>();
    List<DirectoryView> marks = new ArrayList<>();
    for (IndexObject shard : shards.of(directory)) {
      DirectoryPage first = reader.page(shard, IndexKeys.TRANSACTION_PREFIX, "");
      if (!isReadable(first.view())) {
        return false;
      }
      Optional<SortedMap<String, byte[]>> stored =
          VisibleIndex.all(reader, first, IndexKeys.TRANSACTION_PREFIX);
      if (stored.isEmpty()) {
        return false;
      }
      Set<String> ids = new HashSet<>();
      stored.get().keySet().forEach(key -> ids.add(IndexKeys.transactionOf(key)));
      seen.add(new Seen(first.view(), ids));
      marks.add(new DirectoryView(shard, true, stored.get()));
      all.addAll(ids);
    }
    boolean usable = true;
    for (int k = 0; k < marks.size(); k++) {
      usable &= resolution.ask(marks.get(k), seen.get(k).ids());
    }
    if (!usable && !forgotten.containsAll(all)) {
      forgotten.addAll(all);
      return false;
    }
    return true;
  }

  private static boolean isReadable(DirectoryView shard) throws IOException {
    return ShardRouter.isUsed(shard) && !shard.head().orElseThrow().is(IndexHead.State.CLOSING);
  }

  boolean hasNext() {
    return next < seen.size();
  }

  /** The children in the next shard; empty when it was changed by a transaction meanwhile. */
  Optional<SortedMap<String, Entry>> next() throws IOException {
    Seen shard = seen.get(next);
    Optional<SortedMap<String, Entry>> children =
        VisibleIndex.children(reader, resolution, shard.view());
    if (children.isPresent()) {
      next++;
    }
    return children;
  }

  /** Whether anything was handed out. */
  boolean hasBegun() {
    return next > 0;
  }

  /**
   * A listing that goes on where this one is, as of a later instant. It is empty when there is none
   * of which what was handed out is true too.
   */
  Optional<ShardedListing> later() throws IOException {
    ShardedListing later =
        new ShardedListing(
            directory, shards, reader, decisions, new Resolution(decisions), forgotten);
    if (!later.begin()) {
      return Optional.empty();
    }
    for (int k = 0; k < next; k++) {
      if (!VisibleIndex.sameTransactions(seen.get(k).view(), later.seen.get(k).view())) {
        return Optional.empty();
      }
      for (String id : seen.get(k).ids()) {
        if (resolution.isCommitted(id) != later.resolution.isCommitted(id)) {
          return Optional.empty();
        }
      }
    }
    later.next = next;
    return Optional.of(later);
  }
}
