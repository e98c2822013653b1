// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexScan;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The children of a directory with shards, a shard at a time, all of one instant as far as
 * transactions go (I5).
 *
 * <p>It reads the marks and {@code h.transactions} of all shards, then asks for the states of the
 * transactions, then reads the children. A shard whose {@code h.transactions} is another by then
 * was changed since. If no shard was, all is as it was at the instant after the first reading.
 *
 * <p>While one shard is handed out, the next {@value #AHEAD} are being read: a page keeps an OSD
 * busy for some milliseconds, and the shards are on several OSDs.
 *
 * <p>For one thread.
 */
final class ShardedListing {

  /** Shards read ahead of the one that is handed out. */
  static final int AHEAD = 3;

  /** Marks of shards read at a time. */
  private static final int MARKS_AT_ONCE = 64;

  /**
   * A shard as it was in the first reading.
   *
   * @param ids the transactions in it
   */
  private record Seen(DirectoryView view, Set<String> ids) {}

  private final FsPath directory;
  private final Shards shards;
  private final IndexReader reader;
  private final TransactionStatuses statuses;
  private final Set<String> forgotten;
  private final List<Seen> seen = new ArrayList<>();
  private final IntentVisibility visibility;
  private final Deque<IndexScan> underWay = new ArrayDeque<>();
  private int next;

  /**
   * @param visibility has asked about the transactions in the head object
   * @param forgotten transactions whose status record was not found; see {@link VisibleIndex}
   */
  ShardedListing(
      FsPath directory,
      Shards shards,
      IndexReader reader,
      TransactionStatuses statuses,
      IntentVisibility visibility,
      Set<String> forgotten) {
    this.directory = directory;
    this.shards = shards;
    this.reader = reader;
    this.statuses = statuses;
    this.visibility = visibility;
    this.forgotten = forgotten;
  }

  /** Does the first reading, one read a shard. Returns false if the listing must begin again. */
  boolean begin() throws IOException {
    Set<String> all = new HashSet<>();
    List<DirectoryView> marks = new ArrayList<>();
    List<IndexObject> objects = shards.of(directory);
    for (int from = 0; from < objects.size(); from += MARKS_AT_ONCE) {
      List<IndexScan> scans = new ArrayList<>();
      for (IndexObject shard :
          objects.subList(from, Math.min(objects.size(), from + MARKS_AT_ONCE))) {
        scans.add(reader.scan(shard, List.of(IndexKeys.TRANSACTION_PREFIX)));
      }
      for (IndexScan scan : scans) {
        if (!isReadable(scan.view()) || !scan.isWhole()) {
          return false;
        }
        DirectoryView stored = VisibleIndex.marks(scan);
        Set<String> ids = VisibleIndex.transactions(stored);
        seen.add(new Seen(scan.view(), ids));
        marks.add(stored);
        all.addAll(ids);
      }
    }
    boolean usable = true;
    for (int k = 0; k < marks.size(); k++) {
      usable &= visibility.ask(marks.get(k), seen.get(k).ids(), Set.of());
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

  /** The children in the next shard; empty if a transaction changed the shard meanwhile. */
  Optional<ObjectChildren> next() throws IOException {
    while (underWay.size() <= AHEAD && next + underWay.size() < seen.size()) {
      IndexObject shard = seen.get(next + underWay.size()).view().index();
      underWay.add(reader.scan(shard, VisibleIndex.CHILDREN));
    }
    IndexScan scan = underWay.element();
    DirectoryView view = scan.view();
    if (!view.exists() || !seen.get(next).view().sameTransactions(view) || !scan.isWhole()) {
      return Optional.empty();
    }
    underWay.remove();
    next++;
    return Optional.of(
        visibility.isReadable(view.head())
            ? new ObjectChildren(directory, scan, visibility)
            : ObjectChildren.none());
  }

  /**
   * A listing that goes on where this one is, as of a later instant. Empty if what was handed out
   * is not true of that instant, or if the shards cannot be read then.
   */
  Optional<ShardedListing> later() throws IOException {
    ShardedListing later =
        new ShardedListing(
            directory, shards, reader, statuses, new IntentVisibility(statuses), forgotten);
    if (!later.begin()) {
      return Optional.empty();
    }
    for (int k = 0; k < next; k++) {
      if (!seen.get(k).view().sameTransactions(later.seen.get(k).view())) {
        return Optional.empty();
      }
      for (String id : seen.get(k).ids()) {
        if (visibility.isCommitted(id) != later.visibility.isCommitted(id)) {
          return Optional.empty();
        }
      }
    }
    later.next = next;
    return Optional.of(later);
  }
}
