// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.shard;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Spreads the names of a directory over shards, while others use it:
 *
 * <ol>
 *   <li>the ledger names the shards, and one of them is made: without room for that, no split
 *       begins. Then the head object goes from open to splitting, and names the shards. From then
 *       on its entries do not change. Only a directory in which no transaction is at work is split;
 *   <li>each shard is made, empty and in the state filling. Then the head object is read again.
 *       Then each shard is filled and opened, guarded with its own mark as read before. So a client
 *       that is too late learns it from the head object, or its filling fails;
 *   <li>the head object goes from splitting to open, sharded: the one operation that counts;
 *   <li>the entries in the head object are removed; nobody reads them any more.
 * </ol>
 *
 * <p>A client that wants to change something in between finishes the split. That can be repeated
 * from anywhere.
 */
public final class IndexSplitter {

  private final Indexes indexes;
  private final ProcessLedger ledger;
  private final Sharding sharding;
  private final DirectoryLoop loop;
  private final BatchLimit limit;

  public IndexSplitter(
      Indexes indexes,
      ProcessLedger ledger,
      Sharding sharding,
      DirectoryLoop loop,
      BatchLimit limit) {
    this.indexes = indexes;
    this.ledger = ledger;
    this.sharding = sharding;
    this.loop = loop;
    this.limit = limit;
  }

  /**
   * Splits a directory if, with this many more, it has more names than one object should hold, and
   * no transaction is at work in it. A read for each 1,024 names; for a split two writes and a read
   * for each shard.
   *
   * @return whether all names fit one object
   */
  public boolean splitIfLarge(FsPath directory, int more) throws IOException {
    long names = more;
    String after = "";
    while (names <= sharding.threshold()) {
      DirectoryPage page = indexes.reader().page(directory, IndexKeys.ENTRY_PREFIX, after);
      indexes.router().saw(page.view());
      if (!isWhole(page.view())) {
        // A directory that is still to be made has no names but these.
        return !page.view().exists() && names <= sharding.threshold();
      }
      names += page.entries().size();
      if (names <= sharding.threshold() && !page.more()) {
        return true;
      }
      after = page.more() ? page.lastKey() : after;
    }
    split(directory);
    return false;
  }

  private static boolean isWhole(DirectoryView head) throws IOException {
    return head.head().filter(IndexHead.OPEN::equals).isPresent();
  }

  private void split(FsPath directory) throws IOException {
    if (!indexes.retries().run("splitting of " + directory, () -> tryToSplit(directory))) {
      finish(directory);
    }
  }

  /**
   * Begins with what needs room, the ledger's line and one of the shards, so that no split begins
   * without room. Returns whether it has split the directory: false if others have, or are at work
   * in it; empty if it must be tried again.
   */
  private Optional<Boolean> tryToSplit(FsPath directory) throws IOException {
    Map<String, DirectoryPage> held =
        indexes
            .reader()
            .pages(
                directory,
                List.of(),
                Map.of(IndexKeys.TRANSACTION_PREFIX, "", IndexKeys.INTENT_PREFIX, ""));
    DirectoryView view = held.get(IndexKeys.TRANSACTION_PREFIX).view();
    // An intent without a mark is damage: in the shards nothing would hold its name any more.
    if (!isWhole(view) || held.values().stream().anyMatch(page -> !page.entries().isEmpty())) {
      return Optional.of(false);
    }
    Shards shards = Shards.of(sharding.shards());
    String key = ledger.beginShards(directory, shards);
    try {
      return splitInto(shards, view, key);
    } finally {
      ledger.leave(key);
    }
  }

  /**
   * The same.
   *
   * @param key of the shards in the ledger
   */
  private Optional<Boolean> splitInto(Shards shards, DirectoryView view, String key)
      throws IOException {
    FsPath directory = view.directory();
    IndexHead splitting = view.head().orElseThrow().splittingInto(shards);
    IndexObject first = shards.of(directory).get(0);
    IndexHead filling = IndexHead.filling(Uid.random());
    boolean unused = indexes.writer().applyUnseen(IndexChange.creating(first, filling));
    boolean begun =
        indexes
            .writer()
            .applyUnseen(
                IndexChange.of(view)
                    .expect(IndexKeys.TRANSACTIONS, view.value(IndexKeys.TRANSACTIONS))
                    .head(splitting));
    if (!begun) {
      // If the head names the shard nevertheless, it is made again.
      removeShardsMadeInVain(Map.of(first, filling));
      ledger.crossOut(key);
      return Optional.empty();
    }
    boolean done = fillAndOpen(directory, splitting);
    if (done) {
      clear(directory);
    }
    ledger.crossOut(key);
    return Optional.of(done);
  }

  /** Finishes the split of a directory. One read if it is not being split. */
  public void finish(FsPath directory) throws IOException {
    indexes.retries().until("splitting of " + directory, () -> tryToFinish(directory));
  }

  private boolean tryToFinish(FsPath directory) throws IOException {
    DirectoryView view = indexes.reader().keys(directory, List.of());
    indexes.router().saw(view);
    if (view.head().filter(head -> head.is(IndexHead.State.SPLITTING)).isEmpty()) {
      return true;
    }
    IndexHead splitting = view.head().orElseThrow();
    // Only its ledger leads to shards that a client makes too late.
    String key = ledger.beginShards(directory, splitting.shards());
    try {
      if (fillAndOpen(directory, splitting)) {
        clear(directory);
      }
      ledger.crossOut(key);
    } finally {
      ledger.leave(key);
    }
    return false;
  }

  /** Returns false if another client was faster; the caller reads again and retries. */
  private boolean fillAndOpen(FsPath directory, IndexHead splitting) throws IOException {
    Map<IndexObject, IndexHead> toFill = makeShards(directory, splitting.shards());
    Optional<byte[]> layout = indexes.reader().keys(directory, List.of()).value(IndexKeys.LAYOUT);
    ShardFillings fillings = new ShardFillings(indexes.writer(), toFill, limit);
    String after = "";
    boolean more = true;
    while (more) {
      // Read after the shards were seen as filling: while this head is splitting, they are its own.
      DirectoryPage page = indexes.reader().page(directory, IndexKeys.ENTRY_PREFIX, after);
      if (page.view().head().filter(splitting::equals).isEmpty()) {
        removeShardsMadeInVain(toFill);
        return false;
      }
      if (!fill(fillings, toFill, splitting.shards(), page)) {
        return false;
      }
      more = page.more();
      after = more ? page.lastKey() : after;
    }
    if (!open(fillings.rest(), layout)) {
      return false;
    }
    IndexHead opened = splitting.opened();
    return indexes
        .writer()
        .applyUnseen(IndexChange.of(directory, splitting).head(opened).transactional());
  }

  /** Fills shards with their entries of a page. Returns false if it must be tried again. */
  private boolean fill(
      ShardFillings fillings, Map<IndexObject, IndexHead> toFill, Shards shards, DirectoryPage page)
      throws IOException {
    List<String> names = page.entries().keySet().stream().map(IndexKeys::nameOf).toList();
    Map<IndexObject, List<String>> parts = shards.byShard(page.view().directory(), names);
    parts.keySet().retainAll(toFill.keySet());
    for (Map.Entry<IndexObject, List<String>> part : parts.entrySet()) {
      for (String name : part.getValue()) {
        String key = IndexKeys.entry(name);
        if (!fillings.add(part.getKey(), key, page.entries().get(key))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Opens shards, and sets what is still missing in them. Returns false if any was refused. */
  private boolean open(Collection<IndexChange> fillings, Optional<byte[]> layout)
      throws IOException {
    AtomicBoolean all = new AtomicBoolean(true);
    loop.run(
        fillings,
        filling -> {
          layout.ifPresent(value -> filling.set(IndexKeys.LAYOUT, value));
          if (!indexes.writer().applyUnseen(filling.head(IndexHead.OPEN).transactional())) {
            all.set(false);
          }
        });
    return all.get();
  }

  /** Makes the shards that are missing; returns those that are still to be filled. */
  private Map<IndexObject, IndexHead> makeShards(FsPath directory, Shards shards)
      throws IOException {
    Map<IndexObject, IndexHead> toFill = new ConcurrentSkipListMap<>();
    loop.run(
        shards.of(directory),
        shard -> {
          IndexHead head = indexes.retries().run("making of " + shard, () -> headOrMake(shard));
          if (head.is(IndexHead.State.FILLING)) {
            toFill.put(shard, head);
          }
        });
    return toFill;
  }

  /** Makes a missing shard even in a full pool: nothing can be removed during a split. */
  private Optional<IndexHead> headOrMake(IndexObject shard) throws IOException {
    Optional<IndexHead> head = indexes.reader().keys(shard, List.of()).head();
    if (head.isEmpty()) {
      boolean unused =
          indexes
              .writer()
              .applyUnseen(
                  IndexChange.creating(shard, IndexHead.filling(Uid.random())).evenIfFull());
    }
    return head;
  }

  /** Throws if it is unknown whether one was removed: the ledger's line must stay. */
  private void removeShardsMadeInVain(Map<IndexObject, IndexHead> toFill) throws IOException {
    for (Map.Entry<IndexObject, IndexHead> shard : toFill.entrySet()) {
      boolean unused =
          indexes.writer().apply(IndexChange.of(shard.getKey(), shard.getValue()).removeIndex());
    }
  }

  /**
   * Removes the entries from before the split from the head object of a directory with shards. One
   * read if there are none.
   */
  public void clear(FsPath directory) throws IOException {
    boolean more = true;
    while (more) {
      more = indexes.retries().run("clearing of " + directory, () -> clearPage(directory));
    }
  }

  /** Returns whether there are more; empty if it must be tried again. */
  private Optional<Boolean> clearPage(FsPath directory) throws IOException {
    DirectoryPage page = indexes.reader().page(directory, IndexKeys.ENTRY_PREFIX, "");
    if (!page.view().isSharded() || page.entries().isEmpty()) {
      return Optional.of(false);
    }
    IndexChange change = IndexChange.of(page.view());
    page.entries().keySet().forEach(change::remove);
    return indexes.writer().applyUnseen(change) ? Optional.of(page.more()) : Optional.empty();
  }
}
