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
 *   <li>the ledger names the shards, and one of them is made: where there is no room for that, no
 *       split begins. Then the head object goes from open to splitting, which names the shards.
 *       From then on its entries do not change. Only a directory in which no transaction is at work
 *       is split;
 *   <li>each shard is made, empty and in the state of being filled; then the head object is looked
 *       at again; then each shard is filled and opened, guarded with the mark of that very shard as
 *       it was read before. So whoever comes too late finds out from the head object, or fails;
 *   <li>the head object goes from splitting to open, sharded: the one operation that counts;
 *   <li>the entries in the head object, which nobody reads any more, are removed.
 * </ol>
 *
 * <p>Whoever wants to change something in between goes on with the splitting, which can be repeated
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
   * Splits a directory that has, with this many more, more names than one object should hold; else
   * does nothing, nor where a transaction is at work in it. A read for each 1,024 names; for a
   * split two writes and a read for each shard.
   *
   * @return whether all fit one object
   */
  public boolean splitIfLarge(FsPath directory, int more) throws IOException {
    long names = more;
    String after = "";
    while (names <= sharding.threshold()) {
      DirectoryPage page = indexes.reader().page(directory, IndexKeys.ENTRY_PREFIX, after);
      indexes.router().saw(page.view());
      if (!isWhole(page.view())) {
        // One that is still to be made has no names but these.
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
   * Begins with what needs room, so that no split begins that cannot be paid for: the ledger's line
   * and one of the shards. Answers whether it has split the directory; false when others have, or
   * are at work in it, and empty to look again.
   */
  private Optional<Boolean> tryToSplit(FsPath directory) throws IOException {
    DirectoryPage marks = indexes.reader().page(directory, IndexKeys.TRANSACTION_PREFIX, "");
    DirectoryView view = marks.view();
    if (!isWhole(view) || !marks.entries().isEmpty()) {
      return Optional.of(false);
    }
    Shards shards = Shards.of(sharding.shards());
    IndexHead splitting = view.head().orElseThrow().splittingInto(shards);
    String key = ledger.beginShards(directory, shards);
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
      // Should the head name it nevertheless, it is made again.
      removeShardsMadeInVain(Map.of(first, filling));
      ledger.settle(key);
      return Optional.empty();
    }
    boolean done = fillAndOpen(directory, splitting);
    if (done) {
      clear(directory);
    }
    ledger.settle(key);
    return Optional.of(done);
  }

  /** Finishes the splitting of a directory. One read where it is not being split. */
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
    // Shards made by a client that comes too late lead from nowhere but its ledger.
    String key = ledger.beginShards(directory, splitting.shards());
    if (fillAndOpen(directory, splitting)) {
      clear(directory);
    }
    ledger.settle(key);
    return false;
  }

  /** Answers false when somebody else was faster somewhere and it must be looked at again. */
  private boolean fillAndOpen(FsPath directory, IndexHead splitting) throws IOException {
    Map<IndexObject, IndexHead> toFill = makeShards(directory, splitting.shards());
    Optional<byte[]> layout = indexes.reader().keys(directory, List.of()).value(IndexKeys.LAYOUT);
    ShardFillings fillings = new ShardFillings(indexes.writer(), toFill, limit);
    String after = "";
    boolean more = true;
    while (more) {
      // Read after the shards were seen being filled: as long as it is splitting, they are its own.
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

  /** Fills shards with their entries of a page. Answers false when it must be looked at again. */
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

  /** Opens shards, with what is still to be set in them. */
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

  /** Makes the shards that are missing; answers those that are still to be filled. */
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

  /** Makes it also in a full pool: in a directory that is being split nothing can be removed. */
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

  /** Where nobody knows whether one was removed, it is an error: the ledger's line must stay. */
  private void removeShardsMadeInVain(Map<IndexObject, IndexHead> toFill) throws IOException {
    for (Map.Entry<IndexObject, IndexHead> shard : toFill.entrySet()) {
      boolean unused =
          indexes.writer().apply(IndexChange.of(shard.getKey(), shard.getValue()).removeIndex());
    }
  }

  /**
   * Removes from the head object of a directory with shards the entries that it had before. One
   * read where there are none.
   */
  public void clear(FsPath directory) throws IOException {
    boolean more = true;
    while (more) {
      more = indexes.retries().run("clearing of " + directory, () -> clearPage(directory));
    }
  }

  /** Answers whether there are more; empty to look again. */
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
