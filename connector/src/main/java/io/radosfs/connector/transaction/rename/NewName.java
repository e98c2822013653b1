// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.commit.Preparation;
import io.radosfs.connector.transaction.rename.RenameRules.Replaces;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.resolve.Move;
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
 * Adds the new name of a rename, and decides the rename in the index of the new name's directory.
 */
final class NewName {

  private static final Logger LOG = LoggerFactory.getLogger(NewName.class);

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final Transactions transactions;
  private final Preparation preparation;
  private final Retention retention;

  NewName(
      Indexes indexes,
      FreeNames freeNames,
      Transactions transactions,
      Preparation preparation,
      Retention retention) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.transactions = transactions;
    this.preparation = preparation;
    this.retention = retention;
  }

  /** Other clients have aborted the rename, or changed its names; it may be tried again. */
  static final class AbortedByOthersException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean mayBeDecided;

    AbortedByOthersException() {
      this(false);
    }

    /**
     * @param mayBeDecided whether the rename may have been decided, and others have forgotten it
     */
    AbortedByOthersException(boolean mayBeDecided) {
      this.mayBeDecided = mayBeDecided;
    }

    /**
     * @param refusal for what the rename saw when it held its source no more
     */
    AbortedByOthersException(IOException refusal) {
      super(refusal);
      this.mayBeDecided = false;
    }

    boolean mayBeDecided() {
      return mayBeDecided;
    }
  }

  /**
   * What is renamed.
   *
   * @param old its entry under the old name
   * @param moved its entry under the new one; of a directory with the layout of its index
   */
  record Prepared(Entry old, Entry moved) {}

  /** Prepares the new name, if it is in another object than the decision. */
  void prepare(Move move, Entry entry, Replaces replaces) throws IOException {
    String name = move.destination().name();
    indexes
        .retries()
        .until(
            move.what(),
            () -> {
              DirectoryView view = freeNames.view(move.coordinator(), List.of(name));
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              Optional<Entry> replaced = view.entry(name);
              RenameRules.requireReplaceable(move.destination(), entry, replaced, replaces);
              DirectoryChange change =
                  DirectoryChange.adding(Map.of(name, entry))
                      .and(Map.of(), replaced.map(old -> Map.of(name, old)).orElse(Map.of()));
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

  /** Decides a rename whose names are all prepared. */
  void decideAlone(Move move) throws IOException {
    List<IndexChange> refused = new ArrayList<>();
    indexes
        .retries()
        .until(
            move.what(),
            () -> {
              if (requirePending(move, refused) == Transactions.State.COMMITTED) {
                return true;
              }
              DirectoryView view = freeNames.view(move.coordinator(), List.of());
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              return decide(
                  deciding(IndexChange.of(view), move).transactional().seen(view), refused);
            });
  }

  /** Decides a rename by the operation that adds the new name. */
  void decide(Move move, Prepared prepared, Replaces replaces) throws IOException {
    String name = move.destination().name();
    List<IndexChange> refused = new ArrayList<>();
    indexes
        .retries()
        .until(
            move.what(),
            () -> {
              if (requirePending(move, refused) == Transactions.State.COMMITTED) {
                return true;
              }
              List<String> names = new ArrayList<>(List.of(name));
              if (move.withinParent()) {
                names.add(move.source().name());
              }
              DirectoryView view = freeNames.viewOfHead(move.coordinator(), names, Set.of());
              if (view.isSharded()) {
                // The parent was split meanwhile. The next try prepares the new name.
                throw new AbortedByOthersException();
              }
              if (!view.isOpen()) {
                throw new FileNotFoundException("there is no directory " + move.coordinator());
              }
              if (move.withinParent()
                  && !RenameRules.requireSource(move.source(), view).equals(prepared.old())) {
                // The source has other attributes, or is another one by now. The next try renames
                // what is there then.
                throw new AbortedByOthersException();
              }
              Optional<Entry> replaced = view.entry(name);
              RenameRules.requireReplaceable(
                  move.destination(), prepared.moved(), replaced, replaces);
              IndexChange change =
                  deciding(IndexChange.of(move.coordinator(), IndexHead.OPEN), move)
                      .expectFree(name, view.storedEntry(name))
                      .set(
                          IndexKeys.entry(name),
                          EntryCodec.encode(move.destination(), prepared.moved()))
                      .transactional()
                      .seen(view);
              if (move.withinParent()) {
                String old = move.source().name();
                change
                    .expectFree(old, view.storedEntry(old))
                    .remove(IndexKeys.entry(old))
                    .mayReturn(IndexKeys.entry(old));
              }
              replaced.ifPresent(old -> change.defer(retention.replaced(move.destination(), old)));
              return decide(change, refused);
            });
  }

  private boolean decide(IndexChange change, List<IndexChange> refused) throws IOException {
    boolean decided = indexes.writer().applyOrLookAgain(change);
    if (!decided) {
      refused.add(change);
    }
    return decided;
  }

  /**
   * Returns PENDING or COMMITTED; throws if the rename was aborted.
   *
   * @param refused tries to decide. One of them may have been applied all the same ({@link
   *     IndexChange#isLastIn}), and others may have finished and forgotten the rename since
   */
  private Transactions.State requirePending(Move move, List<IndexChange> refused)
      throws IOException {
    Optional<Transactions.State> state = transactions.state(move.registration());
    if (state.isPresent()) {
      return state
          .filter(known -> known != Transactions.State.ABORTED)
          .orElseThrow(AbortedByOthersException::new);
    }
    if (!refused.isEmpty()) {
      DirectoryView view = indexes.reader().names(move.coordinator(), List.of());
      if (IndexChange.anyIsLastIn(view, refused)) {
        return Transactions.State.COMMITTED;
      }
      refused.removeIf(change -> change.noTransactionSince(view));
    }
    throw new AbortedByOthersException(!refused.isEmpty());
  }

  private static IndexChange deciding(IndexChange change, Move move) {
    String key = IndexKeys.transactionStatus(move.id());
    TransactionStatus pending =
        new TransactionStatus(TransactionStatus.State.PENDING, move.owner());
    return change
        .expect(key, pending.encode())
        .set(key, pending.as(TransactionStatus.State.COMMITTED).encode());
  }
}
