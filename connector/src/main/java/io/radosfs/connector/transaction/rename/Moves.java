// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.commit.BeingRemovedException;
import io.radosfs.connector.transaction.commit.Decided;
import io.radosfs.connector.transaction.commit.DirectoryLocker;
import io.radosfs.connector.transaction.commit.LockedTree;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.rename.RenameRules.Replaces;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames that concern more than one index: of a file into another directory, and of a directory
 * with all below it. They are decided in the index of the destination's parent, by the operation
 * that adds the new name.
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
  private final NewName newName;

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
    this.newName = new NewName(indexes, freeNames, transactions, preparation, retention);
  }

  /**
   * Renames a file or a tree; the destination's parent must exist. Five writes for a file; for a
   * tree one more, and four for every directory of it. If the destination's parent has shards, the
   * new name is prepared too, as the decision is in another object.
   *
   * @param replaces what it may replace at the destination
   * @param seen a view of the old name, held by no transaction; it is read again for a further try
   */
  public void move(FsPath source, FsPath destination, Replaces replaces, DirectoryView seen)
      throws IOException {
    SourceViews views = new SourceViews(source, seen);
    indexes
        .retries()
        .until(
            "rename of " + source + " to " + destination,
            () -> {
              try {
                tryToMove(new Move(source, destination), views, replaces);
                return true;
              } catch (BeingRemovedException e) {
                requireAnswered(e);
                preparation.finish(e);
                return false;
              } catch (NewName.AbortedByOthersException | TransactionAbortedException e) {
                if (e instanceof NewName.AbortedByOthersException others && others.mayBeDecided()) {
                  views.mayBeMoved();
                }
                LOG.info(
                    "rename of {} to {} was aborted by others and is tried again",
                    source,
                    destination);
                requireAnswered(e);
                return false;
              }
            });
  }

  /**
   * Logs what a try that is to be made again has left behind. Throws if RADOS does not answer, as
   * the next try would wait as long again.
   *
   * @param failure of the try, with what kept it from being withdrawn, or could not be deleted then
   */
  private static void requireAnswered(IOException failure) throws IOException {
    for (Throwable left : failure.getSuppressed()) {
      if (left instanceof IOException unanswered && Failures.hasWaitedInFull(unanswered)) {
        unanswered.addSuppressed(failure);
        throw unanswered;
      }
      LOG.warn("a rename gave way, and not all could be cleared away; radosfs gc does that", left);
    }
  }

  /** Reads the old name; the first view is the caller's. */
  private final class SourceViews {
    private final FsPath source;
    private Optional<DirectoryView> seen;
    private Optional<Uid> tried = Optional.empty();

    /** What a try may have renamed. */
    private Optional<Uid> moved = Optional.empty();

    SourceViews(FsPath source, DirectoryView seen) {
      this.source = source;
      this.seen = Optional.of(seen);
    }

    /** For a rename that may hold the name itself: an answer may not have told so. */
    DirectoryView next(Move move) throws IOException {
      DirectoryView view =
          seen.isPresent()
              ? seen.get()
              : freeNames
                  .forTransaction(move.id(), move.coordinator())
                  .view(source.parent(), List.of(source.name()));
      seen = Optional.empty();
      return view;
    }

    /**
     * The entry that is to be renamed; fails if there is none. After a try that may have been
     * decided only what that was about is renamed: what others have made there since is theirs.
     */
    Entry require(Move move, DirectoryView view) throws IOException {
      Optional<Entry> there = view.isOpen() ? view.entry(source.name()) : Optional.empty();
      if (moved.isPresent() && there.map(Entry::uid).filter(moved.get()::equals).isEmpty()) {
        throw new OutcomeUnknownException(
            move.what()
                + " may have been made, and others may have finished and forgotten it: what was at "
                + source
                + " is not there any more. Look at both before repeating it",
            new FileNotFoundException(source + " does not exist"));
      }
      Entry entry = RenameRules.requireSource(source, view);
      tried = Optional.of(entry.uid());
      return entry;
    }

    void mayBeMoved() {
      moved = tried;
    }
  }

  private void tryToMove(Move move, SourceViews views, Replaces replaces) throws IOException {
    // What was decided stays decided. What is not resolved now, the next client will resolve.
    NewTree tree = new NewTree(move, preparation, resolution, growth, ledger);
    DirectoryLocker locker = preparation.locker(move.id(), move.coordinator());
    try {
      decided(move, views, replaces, tree, locker)
          .resolve()
          .unresolved()
          .ifPresent(
              e ->
                  LOG.warn(
                      "{} to {} is renamed, but not all could be resolved or deleted yet; the next"
                          + " change there, or radosfs gc, does",
                      move.source(),
                      move.destination(),
                      e));
    } finally {
      tree.leave();
      locker.made().leave();
    }
  }

  /** The part of a rename that can fail. */
  private Decided decided(
      Move move, SourceViews views, Replaces replaces, NewTree tree, DirectoryLocker locker)
      throws IOException {
    transactions.register(move.registration());
    boolean sharded = indexes.router().remembered(move.coordinator()).isPresent();
    boolean mayBeDecided = false;
    try {
      NewName.Prepared prepared = prepare(move, views, locker, sharded, tree);
      RenameRules.requireSuccessor(move.source(), prepared.old(), replaces);
      if (sharded) {
        newName.prepare(move, prepared.moved(), replaces);
        mayBeDecided = true;
        newName.decideAlone(move);
      } else {
        mayBeDecided = true;
        newName.decide(move, prepared, replaces);
      }
    } catch (IOException e) {
      if (e instanceof OutcomeUnknownException unknown && unknown.hasWaitedInFull()) {
        throw e; // RADOS would not answer this either
      }
      // A refusal is no doubt about the decision: it would have been told as one.
      Transactions.AbortOutcome outcome = abort(move, mayBeDecided && !isRefusal(e), e);
      if (outcome.state() == Transactions.State.ABORTED) {
        // What it saw when it held its source no more is no reason to refuse it.
        IOException failure =
            isRefusal(e) && outcome.byOthers() ? new NewName.AbortedByOthersException(e) : e;
        withdraw(move, locker, sharded, tree, failure);
        throw failure;
      }
    }
    return new Decided(
        () -> {
          FirstFailure left = new FirstFailure();
          resolution.finish(move, sharded, true, left);
          locker.made().removeInVain();
          tree.resolved();
          tree.grown();
          if (!move.withinParent()) {
            growth.added(move.coordinator(), 1);
          }
          left.rethrow();
        });
  }

  private static boolean isRefusal(IOException e) {
    return e instanceof FileAlreadyExistsException || e instanceof PathIOException;
  }

  /**
   * Aborts a rename that could not be prepared or decided; returns what came of it.
   *
   * @param mayBeDecided whether the operation that decides may have been sent
   */
  private Transactions.AbortOutcome abort(Move move, boolean mayBeDecided, IOException failure)
      throws IOException {
    try {
      return FollowUp.evenIfInterrupted(() -> transactions.tryToAbort(move.registration()));
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw mayBeDecided ? unknown(move, failure) : failure;
    }
  }

  private static OutcomeUnknownException unknown(Move move, IOException failure) {
    return new OutcomeUnknownException(
        move.what()
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
            // First: indexes of directories removed meanwhile cannot be found from the top.
            locker.made().removeInVain();
            tree.withdraw();
            FirstFailure left = new FirstFailure();
            resolution.finish(move, sharded, false, left);
            tree.resolved();
            left.rethrow();
          });
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Writes an intent on the old name, locks a tree and prepares its new indexes.
   *
   * @param newTree takes the new indexes
   */
  private NewName.Prepared prepare(
      Move move, SourceViews views, DirectoryLocker locker, boolean sharded, NewTree newTree)
      throws IOException {
    Entry entry;
    if (move.withinParent() && !sharded) {
      entry = views.require(move, views.next(move));
    } else {
      entry = intendSource(move, views);
    }
    if (!(entry instanceof Entry.OfDirectory top)) {
      return new NewName.Prepared(entry, entry);
    }
    LockedTree tree = locker.lock(move.source(), top, TransactionMark::moving);
    newTree.prepare(tree);
    return new NewName.Prepared(entry, top.withLayout(tree.layout(move.source())));
  }

  private Entry intendSource(Move move, SourceViews views) throws IOException {
    String name = move.source().name();
    return indexes
        .retries()
        .run(
            move.what(),
            () -> {
              DirectoryView view = views.next(move);
              Entry entry = views.require(move, view);
              if (view.intent(name).isPresent()) {
                return Optional.of(entry); // by an earlier try, whose answer said something else
              }
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
}
