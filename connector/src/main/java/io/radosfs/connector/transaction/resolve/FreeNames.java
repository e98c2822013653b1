// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.Takeover;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * Gives clients that want to change names a view in which no transaction holds the names. It
 * resolves decided transactions, and waits within a bound for pending ones. Then it aborts a
 * pending rename or removal, which is always safe, as its decision is guarded. It never aborts a
 * job for another client.
 */
public final class FreeNames {

  private final Indexes indexes;
  private final TransactionStatuses statuses;
  private final Resolver resolver;
  private final MovedTrees movedTrees;
  private final IndexSplitter splitter;
  private final Duration longestWait;

  /** The transaction that the views are for, if they are for one. */
  private final Optional<Own> own;

  /** The wait that all views have together; empty if each has its own. */
  private final Optional<BoundedBackoff> sharedWait;

  /**
   * @param longestWait how long to wait for other clients' transactions
   */
  public FreeNames(
      Indexes indexes,
      TransactionStatuses statuses,
      Resolver resolver,
      IndexSplitter splitter,
      Duration longestWait) {
    this(indexes, statuses, resolver, splitter, longestWait, Optional.empty(), Optional.empty());
  }

  private FreeNames(
      Indexes indexes,
      TransactionStatuses statuses,
      Resolver resolver,
      IndexSplitter splitter,
      Duration longestWait,
      Optional<Own> own,
      Optional<BoundedBackoff> sharedWait) {
    this.indexes = indexes;
    this.statuses = statuses;
    this.resolver = resolver;
    this.movedTrees = new MovedTrees(indexes.reader(), resolver);
    this.splitter = splitter;
    this.longestWait = longestWait;
    this.own = own;
    this.sharedWait = sharedWait;
  }

  /**
   * The same for a transaction itself, which may hold the names and lock the directory. So it does
   * not wait for what another client that commits the same transaction has prepared meanwhile. It
   * ends no other once it is ended or taken over itself.
   */
  public FreeNames forTransaction(String id, FsPath coordinator) {
    Own transaction = new Own(id, coordinator);
    return new FreeNames(
        indexes, statuses, resolver, splitter, longestWait, Optional.of(transaction), sharedWait);
  }

  /**
   * The same for one call that changes many names or directories. It waits for all that others left
   * there together as long as for one. Not thread-safe.
   */
  public FreeNames forOneCall() {
    return new FreeNames(
        indexes, statuses, resolver, splitter, longestWait, own, Optional.of(backoff()));
  }

  /**
   * The names as stored, held by no transaction, in the index object that has them. One read if
   * there is no transaction. If several objects have the names, the view is of the directory's head
   * ({@link DirectoryView#isSharded}) and tells nothing about them.
   *
   * @throws TransactionConflictException if a name is still held after the wait
   * @throws io.radosfs.connector.layout.LayoutException if a name is held by a transaction that has
   *     no mark in the index
   */
  public DirectoryView view(FsPath directory, Collection<String> names) throws IOException {
    return view(directory, names, Set.of());
  }

  /**
   * The same, except that names in {@code shared} may have intents of transactions that make a
   * directory of that name.
   */
  public DirectoryView view(FsPath directory, Collection<String> names, Collection<String> shared)
      throws IOException {
    return view(
        directory,
        () -> names.isEmpty() ? head(directory, names) : indexes.router().names(directory, names),
        names,
        shared);
  }

  /**
   * The same for the directory's head object, whether or not it has the names. If it has shards
   * ({@link DirectoryView#isSharded}), the view tells nothing about them.
   */
  public DirectoryView viewOfHead(
      FsPath directory, Collection<String> names, Collection<String> shared) throws IOException {
    return view(directory, () -> head(directory, names), names, shared);
  }

  /** The state of one index object, held by no transaction. */
  public DirectoryView view(IndexObject index) throws IOException {
    return view(index, Set.of(), Set.of());
  }

  /** The same for one index object that has the names. */
  public DirectoryView view(IndexObject index, Collection<String> names, Collection<String> shared)
      throws IOException {
    return view(index.directory(), () -> indexes.reader().names(index, names), names, shared);
  }

  private DirectoryView head(FsPath directory, Collection<String> names) throws IOException {
    DirectoryView view = indexes.reader().names(directory, names);
    indexes.router().saw(view);
    return view;
  }

  /**
   * A transaction that views are for.
   *
   * @param id of its preparation
   */
  private record Own(String id, FsPath coordinator) {}

  /**
   * Bounded: decided transactions are resolved in few attempts. Pending ones are waited for within
   * the bound; then they are aborted, or the call fails.
   */
  private DirectoryView view(
      FsPath directory,
      CallableRaisingIOE<DirectoryView> source,
      Collection<String> names,
      Collection<String> shared)
      throws IOException {
    BoundedBackoff backoff = backoff();
    return indexes
        .retries()
        .run(
            "a change of " + directory + ", where others are at work,",
            () -> {
              DirectoryView view = source.apply();
              if (view.head().filter(head -> head.is(IndexHead.State.SPLITTING)).isPresent()) {
                splitter.finish(view.directory());
                return Optional.empty();
              }
              Holders holders = Holders.of(view, names, shared, own.map(Own::id));
              if (holders.none()) {
                return Optional.of(view);
              }
              resolveOrWait(view.index(), holders, backoff);
              return Optional.empty();
            });
  }

  private void resolveOrWait(IndexObject index, Holders holders, BoundedBackoff backoff)
      throws IOException {
    while (true) {
      DirectoryView marks = holders.marks(indexes.reader(), index);
      if (resolve(marks, holders.ids(), backoff.isLeft())) {
        backoff.ended();
        return;
      }
      boolean unused = backoff.pause();
    }
  }

  /**
   * Fails if a name has an intent of a transaction, this one or another, that has no mark in the
   * index object. One read.
   */
  public void requireMarks(DirectoryView view, String name) throws IOException {
    Holders holders = Holders.of(view, List.of(name), Set.of(), Optional.empty());
    DirectoryView unused = holders.marks(indexes.reader(), view.index());
  }

  /**
   * Fails if there is a name with an intent of a transaction that has no mark. One read or two.
   *
   * @param intents of an index object that seemed to have no mark
   */
  public void requireMarks(DirectoryPage intents) throws IOException {
    List<String> names = intents.entries().keySet().stream().map(IndexKeys::nameOf).toList();
    DirectoryView unused = view(intents.view().index(), names, Set.of());
  }

  /**
   * The same for the transaction that has locked a directory listed for deletion, if that is the
   * directory it removes. Ignores one that has locked another directory, made at the path since.
   */
  public void resolveRemoval(IndexObject index, String id, Uid removed) throws IOException {
    String key = IndexKeys.transaction(id);
    DirectoryView marks = indexes.reader().keys(index, List.of(key));
    Optional<byte[]> stored = marks.value(key);
    if (stored.isPresent()
        && TransactionMark.decode(marks.object(), id, stored.get())
            .directory()
            .filter(removed::equals)
            .isPresent()) {
      boolean unused = resolve(marks, List.of(id), /* mayWait= */ true);
    }
  }

  /**
   * Resolves those of all transactions with a mark in an index object that are decided, and leaves
   * the others alone. A read for each {@value io.radosfs.connector.store.ReadOp#MAX_RANGE} marks,
   * beside what resolves them.
   */
  public void resolveDecided(IndexObject index) throws IOException {
    String after = "";
    boolean more = true;
    while (more) {
      DirectoryPage marks = indexes.reader().page(index, IndexKeys.TRANSACTION_PREFIX, after);
      for (String id : marks.transactions()) {
        resolve(index, List.of(id), /* mayWait= */ true);
      }
      more = marks.more();
      after = more ? marks.lastKey() : after;
    }
  }

  /** Resolves these transactions, waiting within the bound for those that are pending. */
  public void resolveOrWait(IndexObject index, Collection<String> ids) throws IOException {
    BoundedBackoff backoff = backoff();
    while (!resolve(index, ids, backoff.isLeft())) {
      boolean unused = backoff.pause();
    }
    backoff.ended();
  }

  /**
   * Waits within the bound until a transaction is decided, or has no status record. A read for each
   * look.
   *
   * @return false if it is pending still
   */
  public boolean waitForDecision(String id, FsPath coordinator) throws IOException {
    BoundedBackoff backoff = backoff();
    while (statuses
        .record(id, coordinator)
        .filter(status -> status.is(TransactionStatus.State.PENDING))
        .isPresent()) {
      if (!backoff.pause()) {
        return false;
      }
    }
    backoff.ended();
    return true;
  }

  /**
   * Fails if the transaction that this is for has been decided, or taken over by another client: it
   * needs no names any more, so others are not to be ended for it. One read.
   */
  public void requireOwnPending() throws IOException {
    if (own.isPresent()
        && statuses
            .ask(own.get().id(), own.get().coordinator())
            .filter(status -> status.is(TransactionStatus.State.PENDING))
            .isEmpty()) {
      throw new TransactionAbortedException(
          "transaction "
              + own.get().id()
              + " in "
              + own.get().coordinator()
              + " was ended or taken over by another client while it waited for others");
    }
  }

  /** The wait for other clients' transactions: a new one, if it is not one call's. */
  public BoundedBackoff backoff() {
    return sharedWait.orElseGet(() -> new BoundedBackoff(longestWait, indexes.retries().pauses()));
  }

  /**
   * Resolves those of these transactions that are decided. For marks in a head object it resolves
   * the directory's shards too; for a rename, all that is below ({@link MovedTrees}). If it may not
   * wait, it aborts all that are pending; the next call resolves them.
   *
   * @return false if one is pending and {@code mayWait}
   */
  boolean resolve(IndexObject index, Collection<String> ids, boolean mayWait) throws IOException {
    List<String> keys = new ArrayList<>();
    ids.forEach(id -> keys.add(IndexKeys.transaction(id)));
    return resolve(indexes.reader().keys(index, keys), ids, mayWait);
  }

  private boolean resolve(DirectoryView marks, Collection<String> ids, boolean mayWait)
      throws IOException {
    IndexObject index = marks.index();
    for (String id : ids) {
      Optional<byte[]> stored = marks.value(IndexKeys.transaction(id));
      if (stored.isEmpty()) {
        continue;
      }
      FsPath coordinator = TransactionMark.decode(marks.object(), id, stored.get()).coordinator();
      Optional<TransactionStatus> status = statuses.ask(id, coordinator);
      if (status.filter(s -> s.is(TransactionStatus.State.PENDING)).isPresent()) {
        if (mayWait) {
          return false;
        }
        abort(index.directory(), id, coordinator, status.get());
        continue;
      }
      boolean committed = status.filter(s -> s.is(TransactionStatus.State.COMMITTED)).isPresent();
      Optional<Move> move = status.flatMap(d -> Move.parse(id, d.owner()));
      if (move.isPresent()) {
        movedTrees.resolve(index, move.get(), committed);
      } else {
        resolver.resolve(index, id, committed);
      }
    }
    return true;
  }

  private void abort(FsPath directory, String id, FsPath coordinator, TransactionStatus status)
      throws IOException {
    if (!OwnTransactions.include(id, status.owner())) {
      throw new TransactionConflictException(
          "directory "
              + directory
              + " is being changed by another transaction, "
              + id
              + " of "
              + status.owner()
              + ", which is neither committed nor aborted after "
              + longestWait.toMillis()
              + " ms (fs.rados.transaction.wait). "
              + TransactionConflictException.remedy(Takeover.transactionOf(id)));
    }
    requireOwnPending();
    DirectoryView view =
        indexes.reader().keys(coordinator, List.of(IndexKeys.transactionStatus(id)));
    Optional<IndexHead> head = view.head();
    if (head.isPresent() && TransactionStatuses.in(view, id).filter(status::equals).isPresent()) {
      indexes
          .writer()
          .applyUnseen(
              IndexChange.of(coordinator, head.get())
                  .expect(IndexKeys.transactionStatus(id), status.encode())
                  .set(
                      IndexKeys.transactionStatus(id),
                      status.as(TransactionStatus.State.ABORTED).encode()));
    }
  }
}
