package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stages one transaction: writes its mark and its claims into the directories concerned. Nothing of
 * it is visible. Staging the same again changes nothing, so that a commit can be repeated.
 */
final class Stager {

  private static final int MAX_TRIES = 200;

  private final IndexReader reader;
  private final IndexWriter writer;
  private final FreeNames freeNames;
  private final Reclaimer reclaimer;
  private final StoredChildren children;
  private final ProcessLedger ledger;
  private final String id;
  private final FsPath decider;
  private final Map<FsPath, Made> made = new ConcurrentHashMap<>();
  private final StagedHere stagedHere;

  /** An index that was made frozen: its mark, and its line in the ledger. */
  private record Made(TransactionMark mark, String line) {}

  Stager(TransactionParts parts, String id, FsPath decider) {
    this.reader = parts.reader();
    this.writer = parts.writer();
    this.freeNames = parts.freeNames();
    this.reclaimer = parts.reclaimer();
    this.children = parts.storedChildren();
    this.ledger = parts.ledger();
    this.id = id;
    this.decider = decider;
    this.stagedHere = new StagedHere(writer, id, decider);
  }

  FsPath decider() {
    return decider;
  }

  /** What has been staged by this. */
  StagedHere stagedHere() {
    return stagedHere;
  }

  /**
   * Stages names in a directory, making its index where it lacks; but not elsewhere than below the
   * deciding directory, as nothing would lead to it. One write for a new directory, one read more
   * for an old one.
   *
   * @throws org.apache.hadoop.fs.PathIOException when a directory elsewhere was removed meanwhile
   * @param isNew whether the directory is thought to lack an index
   */
  void stage(FsPath directory, NameChanges changes, boolean isNew) throws IOException {
    if (stagedHere.claimMore(directory, changes)) {
      return;
    }
    if (isNew
        && changes.onlyAdds()
        && !stagedHere.isConcerned(directory)
        && create(directory, changes)) {
      return;
    }
    for (int i = 0; i < MAX_TRIES; i++) {
      if (tryToStage(directory, changes)) {
        return;
      }
    }
    throw new IOException(
        "transaction "
            + id
            + " could not be staged in directory "
            + directory
            + ", which others keep changing; try again");
  }

  private boolean create(FsPath directory, NameChanges changes) throws IOException {
    IndexChange change = creating(directory, changes);
    if (writer.applyOrLookAgain(change)) {
      stagedHere.made(change, IndexHead.opening(id));
      return true;
    }
    return false;
  }

  private IndexChange creating(FsPath directory, NameChanges changes) throws IOException {
    IndexChange change =
        IndexChange.creating(directory, IndexHead.opening(id))
            .set(IndexKeys.transaction(id), TransactionMark.keeping(decider).encode())
            .transactional();
    for (Map.Entry<String, Claim> claim : changes.claims(id).entrySet()) {
      change.set(
          IndexKeys.claim(claim.getKey()),
          claim.getValue().encode(directory.child(claim.getKey())));
    }
    return withLayout(change, changes.layout());
  }

  private static IndexChange withLayout(IndexChange change, DataLayout layout) {
    return layout.isDefault() ? change : change.set(IndexKeys.LAYOUT, layout.encode());
  }

  private boolean tryToStage(FsPath directory, NameChanges changes) throws IOException {
    DirectoryView staged = reader.keys(directory, Set.of(IndexKeys.transaction(id)));
    Optional<IndexHead> head = staged.head();
    if (head.isEmpty()) {
      if (!changes.onlyAdds() || CommitPlan.isElsewhere(directory, decider)) {
        throw NameChanges.changed(directory);
      }
      return create(directory, changes);
    }
    if (head.get().is(IndexHead.State.CLOSING)) {
      reclaimer.finishRemoval(directory, new Uid(head.get().tag()));
      return false;
    }
    if (staged.value(IndexKeys.transaction(id)).isPresent()) {
      // A repeated commit; names not claimed yet are those of batches that did not come to be.
      NameChanges rest = withoutOwnClaims(directory, changes);
      if (rest.names().size() < changes.names().size()) {
        stagedHere.shared(directory);
      }
      return rest.isEmpty() || claim(staged, rest);
    }
    return claim(staged, changes);
  }

  private NameChanges withoutOwnClaims(FsPath directory, NameChanges changes) throws IOException {
    DirectoryView view = reader.names(directory, changes.names());
    Set<String> claimed = new HashSet<>();
    for (String name : changes.names()) {
      if (view.claim(name).filter(claim -> claim.isBy(id)).isPresent()) {
        claimed.add(name);
      }
    }
    return changes.without(claimed);
  }

  /**
   * Claims names.
   *
   * @param before the directory as it was seen first, with the transaction's mark if there was one
   */
  private boolean claim(DirectoryView before, NameChanges changes) throws IOException {
    FsPath directory = before.directory();
    DirectoryView view = freeNames.view(directory, changes.names(), changes.directories().keySet());
    Optional<IndexHead> head = view.head();
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING)) {
      return false;
    }
    changes.check(view);
    if (changes.areMany()) {
      IndexChange change = claiming(view, changes).expectUnchanged(view);
      if (writer.applyOrLookAgain(change)) {
        stagedHere.claimed(change, changes, before, view);
        return true;
      }
    }
    IndexChange change = claiming(view, changes);
    changes.expectNames(change, view);
    stagedHere.shared(directory);
    return writer.applyOrLookAgain(change);
  }

  /** The change that claims names, but for its guards on them. */
  private IndexChange claiming(DirectoryView view, NameChanges changes) throws IOException {
    FsPath directory = view.directory();
    IndexHead head = view.head().orElseThrow();
    IndexChange change =
        IndexChange.of(directory, head)
            .set(IndexKeys.transaction(id), TransactionMark.keeping(decider).encode())
            .transactional()
            .seen(view);
    if (head.is(IndexHead.State.OPENING) && view.layout().isDefault()) {
      // Left by somebody who has not come to open it, and so without a layout of its own.
      change = withLayout(change, changes.layout());
    }
    for (Map.Entry<String, Claim> entry : changes.claims(id).entrySet()) {
      String name = entry.getKey();
      String key = IndexKeys.claim(name);
      FsPath path = directory.child(name);
      Claim claim = entry.getValue();
      if (claim.kind() != Claim.Kind.MAKE_DIRECTORY) {
        change.set(key, claim.encode(path));
      } else if (view.storedEntry(name).isEmpty()) {
        Optional<Claim> shared = view.claim(name).map(other -> other.sharedWith(id));
        change.set(key, shared.orElse(claim).encode(path));
      }
    }
    return change;
  }

  /**
   * Freezes a directory and all below it, for the transaction to remove or move them whole. A read
   * and a write per directory.
   *
   * @param entry of the directory
   * @param kind the mark for a directory with this uid
   * @return the frozen directories, the topmost first
   */
  Map<FsPath, Frozen> freeze(FsPath directory, Entry.OfDirectory entry, MarkOfDirectory kind)
      throws IOException {
    Map<FsPath, Frozen> frozen = new LinkedHashMap<>();
    Frozen top = freezeOne(directory, entry, kind.mark(decider, entry.uid()));
    frozen.put(directory, top);
    for (Map.Entry<String, Entry> child : top.children().entrySet()) {
      if (child.getValue() instanceof Entry.OfDirectory below) {
        frozen.putAll(freeze(directory.child(child.getKey()), below, kind));
      }
    }
    return frozen;
  }

  /**
   * A frozen directory.
   *
   * @param layout of its index, which counts more than that of its entry
   */
  record Frozen(SortedMap<String, Entry> children, DataLayout layout) {}

  /** Chooses what becomes of a frozen directory. */
  @FunctionalInterface
  interface MarkOfDirectory {
    TransactionMark mark(FsPath decider, Uid directory);
  }

  private Frozen freezeOne(FsPath directory, Entry.OfDirectory entry, TransactionMark mark)
      throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView view = reader.keys(directory, Set.of());
      Optional<IndexHead> head = view.head();
      if (head.filter(IndexHead.frozen(id)::equals).isPresent()) {
        return new Frozen(children.of(directory), view.layout());
      }
      if (head.isEmpty()) {
        if (makeFrozen(directory, entry.layout(), mark)) {
          return new Frozen(new TreeMap<>(), entry.layout());
        }
        continue;
      }
      if (head.get().is(IndexHead.State.CLOSING)) {
        // What is left of an older directory of that path.
        reclaimer.finishRemoval(directory, new Uid(head.get().tag()));
        continue;
      }
      freeNames.view(directory, Set.of());
      Optional<DirectoryView> quiet = quietView(directory);
      if (quiet.isEmpty() || !quiet.get().exists()) {
        continue;
      }
      if (quiet.get().head().filter(h -> h.is(IndexHead.State.CLOSING)).isPresent()) {
        continue; // since a moment ago: frozen, and thawed when this is withdrawn, it would be open
      }
      if (writer.applyOrLookAgain(
          IndexChange.of(directory, quiet.get().head().orElseThrow())
              .expectUnchanged(quiet.get())
              .head(IndexHead.frozen(id))
              .set(IndexKeys.transaction(id), mark.encode())
              .transactional())) {
        return new Frozen(children.of(directory), quiet.get().layout());
      }
    }
    throw new IOException(
        "directory "
            + directory
            + " keeps changing and cannot be moved or replaced whole;"
            + " try again when others have finished writing there");
  }

  /**
   * Makes the index that an empty directory lacks, frozen, so that nobody adds to it. Another
   * client may have removed the directory before, be it for the same transaction: then nothing
   * leads to the index but the ledger, until {@link #removeIndexesMadeInVain}.
   */
  private boolean makeFrozen(FsPath directory, DataLayout layout, TransactionMark mark)
      throws IOException {
    String line = ledger.beginIndex(directory);
    TransactionMark inMade = mark.inMadeIndex();
    Made before = made.put(directory, new Made(inMade, line));
    if (before != null) {
      ledger.settle(before.line());
    }
    return writer.applyOrLookAgain(
        withLayout(
            IndexChange.creating(directory, IndexHead.frozen(id))
                .set(IndexKeys.transaction(id), inMade.encode())
                .transactional(),
            layout));
  }

  /**
   * Removes indexes that were made frozen and still are: the transaction could not be staged whole,
   * or another client had removed the directory already. Nothing is in them, and an index that
   * lacks reads as empty. To be called when the transaction is settled, or will not be committed by
   * this process; from then on the ledger leads to none of them.
   */
  void removeIndexesMadeInVain() throws IOException {
    for (Map.Entry<FsPath, Made> index : made.entrySet()) {
      // Refused where others have settled it, which leaves nothing of it either.
      boolean unused =
          writer.apply(
              IndexChange.of(index.getKey(), IndexHead.frozen(id))
                  .expect(IndexKeys.transaction(id), index.getValue().mark().encode())
                  .removeIndex());
      ledger.settle(index.getValue().line());
      made.remove(index.getKey());
    }
  }

  /**
   * A view of a directory in which no transaction and no job is at work and nothing is left to
   * delete; what can be settled is, and then it must be looked at again.
   */
  private Optional<DirectoryView> quietView(FsPath directory) throws IOException {
    Map<String, DirectoryPage> pages =
        reader.pages(
            directory,
            Set.of(),
            Map.of(
                IndexKeys.TRANSACTION_PREFIX, "",
                IndexKeys.DECISION_PREFIX, "",
                IndexKeys.RECLAIM_PREFIX, ""));
    DirectoryView view = pages.get(IndexKeys.RECLAIM_PREFIX).view();
    Set<String> transactions = new HashSet<>();
    for (String key : pages.get(IndexKeys.TRANSACTION_PREFIX).entries().keySet()) {
      transactions.add(IndexKeys.transactionOf(key));
    }
    if (!transactions.isEmpty()) {
      freeNames.settleOrWait(directory, transactions);
      return Optional.empty();
    }
    if (!pages.get(IndexKeys.DECISION_PREFIX).entries().isEmpty()) {
      String key = pages.get(IndexKeys.DECISION_PREFIX).entries().firstKey();
      throw new TransactionConflictException(
          key.substring(IndexKeys.DECISION_PREFIX.length()),
          "directory "
              + directory
              + " cannot be moved or replaced whole while a job writes to it or a rename into it is"
              + " not finished: "
              + key.substring(IndexKeys.DECISION_PREFIX.length()));
    }
    if (!pages.get(IndexKeys.RECLAIM_PREFIX).entries().isEmpty()) {
      reclaimer.reclaim(directory);
      return Optional.empty();
    }
    return Optional.of(view);
  }
}
