// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.commit.Decided;
import io.radosfs.connector.transaction.commit.DirectoryLocker;
import io.radosfs.connector.transaction.commit.LockedTree;
import io.radosfs.connector.transaction.commit.NameChanges;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames that concern more than one index: of a file into another directory, and of a directory
 * with all below it. Decided in the index of the destination's parent, in the operation that adds
 * the new name.
 */
public final class Moves {

  private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final Transactions transactions;
  private final Preparation preparation;
  private final MoveResolution resolution;
  private final DirectoryGrowth growth;
  private final ProcessLedger ledger;
  private final Retention retention;

  public Moves(
      Indexes indexes,
      FreeNames freeNames,
      Transactions transactions,
      Preparation preparation,
      MoveResolution resolution,
      DirectoryGrowth growth,
      ProcessLedger ledger,
      Retention retention) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.transactions = transactions;
    this.preparation = preparation;
    this.resolution = resolution;
    this.growth = growth;
    this.ledger = ledger;
    this.retention = retention;
  }

  /** The transaction was aborted by somebody who needed the name; it may be tried again. */
  private static final class AbortedByOthersException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Moves what has this entry; the destination's parent exists. Five writes for a file; for a tree
   * one more, and three for every directory of it. Where the destination's parent has shards, the
   * new name is prepared too, as it is elsewhere than the decision.
   *
   * @param overwrite whether a file at the destination is replaced
   * @param seen the name as it was seen, held by nobody; it is looked at again where that, or the
   *     transaction, must be tried again
   */
  public void move(FsPath source, FsPath destination, boolean overwrite, DirectoryView seen)
      throws IOException {
    SourceViews views = new SourceViews(source, seen);
    indexes
        .retries()
        .until(
            what(source, destination),
            () -> {
              try {
                tryToMove(new Move(source, destination), views, overwrite);
                return true;
              } catch (AbortedByOthersException e) {
                LOG.info(
                    "rename of {} to {} was aborted by others and is tried again",
                    source,
                    destination);
                return false;
              }
            });
  }

  private static String what(FsPath source, FsPath destination) {
    return "rename of " + source + " to " + destination;
  }

  private static String what(Move move) {
    return what(move.source(), move.destination());
  }

  /** Looks at the old name: the first look is the caller's. */
  private final class SourceViews {
    private final FsPath source;
    private Optional<DirectoryView> seen;

    SourceViews(FsPath source, DirectoryView seen) {
      this.source = source;
      this.seen = Optional.of(seen);
    }

    DirectoryView next() throws IOException {
      DirectoryView view =
          seen.isPresent()
              ? seen.get()
              : freeNames.view(source.parent(), List.of(source.name()));
      seen = Optional.empty();
      return view;
    }
  }

  private void tryToMove(Move move, SourceViews views, boolean overwrite) throws IOException {
    // What was decided stays decided: what is not resolved now is by the next that meets it.
    decided(move, views, overwrite)
        .resolve()
        .unresolved()
        .ifPresent(
            e ->
                LOG.warn(
                    "{} to {} is renamed, but could not be resolved yet; the next change there will",
                    move.source(),
                    move.destination(),
                    e));
  }

  /** All that can fail a rename. */
  private Decided decided(Move move, SourceViews views, boolean overwrite) throws IOException {
    transactions.register(move.registration());
    boolean sharded = indexes.router().remembered(move.coordinator()).isPresent();
    NewTree tree = new NewTree(move, preparation, resolution, growth, ledger);
    DirectoryLocker locker = preparation.locker(move.id(), move.coordinator());
    boolean mayBeDecided = false;
    try {
      Prepared prepared = prepare(move, views, locker, sharded, tree);
      if (sharded) {
        prepareDestination(move, prepared.moved(), overwrite);
        mayBeDecided = true;
        decideAlone(move);
      } else {
        mayBeDecided = true;
        decide(move, prepared, overwrite);
      }
    } catch (IOException e) {
      if (e instanceof OutcomeUnknownException unknown && unknown.hasWaitedInFull()) {
        throw e; // nobody would answer this either
      }
      if (abort(move, mayBeDecided, e) == Transactions.State.ABORTED) {
        withdraw(move, locker, sharded, tree, e);
        throw e;
      }
    }
    return new Decided(
        () -> {
          resolution.finish(move, sharded, true);
          locker.removeIndexesMadeInVain();
          tree.resolved();
          tree.grown();
        });
  }

  /**
   * Answers how a rename that could not be prepared or decided stands in the end.
   *
   * @param mayBeDecided whether the operation that decides may have been sent
   */
  private Transactions.State abort(Move move, boolean mayBeDecided, IOException failure)
      throws IOException {
    try {
      return FollowUp.evenIfInterrupted(() -> transactions.abort(move.registration()));
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw mayBeDecided ? unknown(move, failure) : failure;
    }
  }

  private static OutcomeUnknownException unknown(Move move, IOException failure) {
    return new OutcomeUnknownException(
        "rename of "
            + move.source()
            + " to "
            + move.destination()
            + " failed, and whether it had taken effect before could not be read from the index of "
            + move.coordinator()
            + ": look at both before repeating it",
        failure);
  }

  /** Takes back what was prepared of a rename that is aborted. */
  private void withdraw(
      Move move, DirectoryLocker locker, boolean sharded, NewTree tree, IOException failure) {
    try {
      FollowUp.evenIfInterrupted(
          () -> {
            // First, as those of directories removed meanwhile cannot be found from the top.
            locker.removeIndexesMadeInVain();
            tree.withdraw();
            resolution.finish(move, sharded, false);
            tree.resolved();
          });
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * What is moved.
   *
   * @param old its entry under the old name
   * @param moved its entry under the new one: of a directory with the layout that its index had
   */
  private record Prepared(Entry old, Entry moved) {}

  /**
   * Writes an intent on the old name, locks a tree and prepares its new indexes.
   *
   * @param newTree takes these
   */
  private Prepared prepare(
      Move move, SourceViews views, DirectoryLocker locker, boolean sharded, NewTree newTree)
      throws IOException {
    Entry entry;
    if (move.withinParent() && !sharded) {
      entry = requireSource(move.source(), views.next());
    } else {
      entry = intendSource(move, views);
    }
    if (!(entry instanceof Entry.OfDirectory top)) {
      return new Prepared(entry, entry);
    }
    LockedTree tree = locker.lock(move.source(), top, TransactionMark::moving);
    newTree.prepare(tree);
    return new Prepared(entry, top.withLayout(tree.layout(move.source())));
  }

  /** What is there to be renamed; fails where nothing is. */
  public static Entry requireSource(FsPath source, DirectoryView view) throws IOException {
    return (view.isOpen() ? view.entry(source.name()) : Optional.<Entry>empty())
        .orElseThrow(() -> new FileNotFoundException(source + " does not exist"));
  }

  private Entry intendSource(Move move, SourceViews views) throws IOException {
    String name = move.source().name();
    return indexes
        .retries()
        .run(
            what(move),
            () -> {
              DirectoryView view = views.next();
              Entry entry = requireSource(move.source(), view);
              WriteIntent intent = WriteIntent.moveAway(move.id(), entry.uid());
              if (indexes
                  .writer()
                  .apply(
                      IndexChange.of(view)
                          .expectFree(name, view.storedEntry(name))
                          .set(
                              IndexKeys.transaction(move.id()),
                              TransactionMark.keeping(move.coordinator()).encode())
                          .set(IndexKeys.intent(name), intent.encode(move.source()))
                          .transactional()
                          .seen(view))) {
                return Optional.of(entry);
              }
              return Optional.empty();
            });
  }

  private void prepareDestination(Move move, Entry entry, boolean overwrite) throws IOException {
    String name = move.destination().name();
    indexes
        .retries()
        .until(
            what(move),
            () -> {
              DirectoryView view = freeNames.view(move.coordinator(), List.of(name));
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              Optional<Entry> replaced = view.entry(name);
              requireReplaceable(move.destination(), entry, replaced, overwrite);
              NameChanges change =
                  new NameChanges(
                      Map.of(name, entry),
                      replaced.map(old -> Map.of(name, old)).orElse(Map.of()),
                      Map.of(),
                      DataLayout.DEFAULT);
              try {
                preparation
                    .preparer(move.id(), move.coordinator())
                    .prepare(move.coordinator(), change, false);
                return true;
              } catch (FileAlreadyExistsException | PathIOException e) {
                LOG.debug("{} was changed while it was looked at", move.destination(), e);
                return false;
              }
            });
  }

  /** Decides a move all of whose names are prepared. */
  private void decideAlone(Move move) throws IOException {
    String status = IndexKeys.transactionStatus(move.id());
    byte[] pending = new TransactionStatus(TransactionStatus.State.PENDING, move.owner()).encode();
    byte[] committed =
        new TransactionStatus(TransactionStatus.State.COMMITTED, move.owner()).encode();
    indexes
        .retries()
        .until(
            what(move),
            () -> {
              if (requirePending(move) == Transactions.State.COMMITTED) {
                return true;
              }
              DirectoryView view = freeNames.view(move.coordinator(), List.of());
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              return indexes
                  .writer()
                  .applyOrLookAgain(
                      IndexChange.of(view).expect(status, pending).set(status, committed));
            });
  }

  /** Answers PENDING or COMMITTED. */
  private Transactions.State requirePending(Move move) throws IOException {
    return transactions
        .state(move.registration())
        .filter(state -> state != Transactions.State.ABORTED)
        .orElseThrow(AbortedByOthersException::new);
  }

  private void decide(Move move, Prepared prepared, boolean overwrite) throws IOException {
    String name = move.destination().name();
    String status = IndexKeys.transactionStatus(move.id());
    byte[] pending = new TransactionStatus(TransactionStatus.State.PENDING, move.owner()).encode();
    byte[] committed =
        new TransactionStatus(TransactionStatus.State.COMMITTED, move.owner()).encode();
    indexes
        .retries()
        .until(
            what(move),
            () -> {
              if (requirePending(move) == Transactions.State.COMMITTED) {
                return true;
              }
              List<String> names = new ArrayList<>(List.of(name));
              if (move.withinParent()) {
                names.add(move.source().name());
              }
              DirectoryView view = freeNames.viewOfHead(move.coordinator(), names, Set.of());
              if (view.isSharded()) {
                // It was split meanwhile; tried again, the new name is prepared.
                throw new AbortedByOthersException();
              }
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              Optional<Entry> replaced = view.entry(name);
              requireReplaceable(move.destination(), prepared.moved(), replaced, overwrite);
              IndexChange change =
                  IndexChange.of(move.coordinator(), IndexHead.OPEN)
                      .expect(status, pending)
                      .expectFree(name, view.storedEntry(name))
                      .set(status, committed)
                      .set(
                          IndexKeys.entry(name),
                          EntryCodec.encode(move.destination(), prepared.moved()))
                      .transactional();
              if (move.withinParent()) {
                String old = move.source().name();
                if (!requireSource(move.source(), view).equals(prepared.old())) {
                  // It is still there, with other attributes or as another one: tried again, what
                  // is there now is moved.
                  throw new AbortedByOthersException();
                }
                change.expectFree(old, view.storedEntry(old)).remove(IndexKeys.entry(old));
              }
              replaced.ifPresent(
                  old ->
                      change.set(
                          IndexKeys.deferredDeletion(old.uid()),
                          retention.replaced(move.destination(), old).encode()));
              return indexes.writer().applyOrLookAgain(change);
            });
  }

  /** Fails unless an entry may take the place of what is at its destination. */
  public static void requireReplaceable(
      FsPath destination, Entry moved, Optional<Entry> replaced, boolean overwrite)
      throws IOException {
    if (replaced.isEmpty()) {
      return;
    }
    if (!overwrite) {
      throw new FileAlreadyExistsException("rename destination " + destination + " already exists");
    }
    if (replaced.get() instanceof Entry.OfDirectory || moved instanceof Entry.OfDirectory) {
      throw new FileAlreadyExistsException(
          "rename destination "
              + destination
              + " cannot be replaced: a file and a directory do not take each other's place");
    }
  }
}
