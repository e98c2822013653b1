package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final int MAX_TRIES = 20;

  private final TransactionParts parts;
  private final IndexReader reader;
  private final IndexWriter writer;
  private final Transactions transactions;

  public Moves(TransactionParts parts, Attributes newDirectories) {
    this.parts = parts;
    this.reader = parts.reader();
    this.writer = parts.writer();
    this.transactions = parts.transactions(newDirectories, DirectoryLoop.sequential());
  }

  /** The transaction was aborted by somebody who needed the name; it may be tried again. */
  private static final class AbortedByOthersException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Moves what has this entry; the destination's parent exists. Five writes for a file, three more
   * for every directory of a tree.
   *
   * @param overwrite whether a file at the destination is replaced
   */
  public void move(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      Move move = new Move(source, destination);
      try {
        tryToMove(move, overwrite);
        return;
      } catch (AbortedByOthersException e) {
        LOG.info(
            "rename of {} to {} was aborted by others and is tried again", source, destination);
      }
    }
    throw new IOException(
        "rename of "
            + source
            + " to "
            + destination
            + " was aborted "
            + MAX_TRIES
            + " times by others that needed the names; try again");
  }

  private void tryToMove(Move move, boolean overwrite) throws IOException {
    transactions.register(move.registration());
    Stager stager = parts.stager(move.id(), move.decider());
    try {
      decide(move, stage(move, stager), overwrite);
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (IOException e) {
      if (withdraw(move, stager, e)) {
        return;
      }
      throw e;
    }
    finishQuietly(move, stager);
  }

  /** What was decided stays decided: what is not settled now is by the next who meets it. */
  private void finishQuietly(Move move, Stager stager) {
    try {
      finish(move, true);
      stager.removeIndexesMadeInVain();
    } catch (IOException e) {
      LOG.warn(
          "{} to {} is renamed, but could not be settled yet; the next change there will",
          move.source(),
          move.destination(),
          e);
    }
  }

  /** Answers whether the transaction turns out to be committed. */
  private boolean withdraw(Move move, Stager stager, IOException failure) {
    try {
      if (transactions.abort(move.registration()) == Transactions.State.COMMITTED) {
        finish(move, true);
        stager.removeIndexesMadeInVain();
        return true;
      }
      // First, as those of directories removed meanwhile cannot be found from the top.
      stager.removeIndexesMadeInVain();
      finish(move, false);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return false;
  }

  /**
   * What is moved.
   *
   * @param old its entry under the old name
   * @param moved its entry under the new one: of a directory with the layout that its index had
   */
  private record Staged(Entry old, Entry moved) {}

  /** Claims the old name, freezes a tree and prepares its new indexes. */
  private Staged stage(Move move, Stager stager) throws IOException {
    Entry entry;
    if (move.withinParent()) {
      entry = requireSource(move, parts.freeNames().view(move.sourceParent(), move.sourceNames()));
    } else {
      entry = claimSource(move);
    }
    if (!(entry instanceof Entry.OfDirectory top)) {
      return new Staged(entry, entry);
    }
    Map<FsPath, Stager.Frozen> tree = stager.freeze(move.source(), top, TransactionMark::moving);
    for (FsPath directory : tree.keySet()) {
      NameChanges content = contentOf(directory, tree);
      if (!content.isEmpty()) {
        for (NameChanges batch : content.batches()) {
          stager.stage(move.newPathOf(directory), batch, true);
        }
      }
    }
    return new Staged(entry, top.withLayout(tree.get(move.source()).layout()));
  }

  /** The new index of an empty directory is made when it is needed, from the entry. */
  private static NameChanges contentOf(FsPath parent, Map<FsPath, Stager.Frozen> tree)
      throws IOException {
    Map<String, Entry> files = new HashMap<>();
    Map<String, Entry.OfDirectory> directories = new HashMap<>();
    for (Map.Entry<String, Entry> child : tree.get(parent).children().entrySet()) {
      if (child.getValue() instanceof Entry.OfDirectory directory) {
        DataLayout layout = tree.get(parent.child(child.getKey())).layout();
        directories.put(child.getKey(), directory.withLayout(layout));
      } else {
        files.put(child.getKey(), child.getValue());
      }
    }
    return new NameChanges(files, Map.of(), directories, tree.get(parent).layout());
  }

  private static Entry requireSource(Move move, DirectoryView view) throws IOException {
    if (!view.isOpen()) {
      throw new FileNotFoundException(move.source() + " does not exist");
    }
    return view.entry(move.source().name())
        .orElseThrow(() -> new FileNotFoundException(move.source() + " does not exist"));
  }

  private Entry claimSource(Move move) throws IOException {
    String name = move.source().name();
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView view = parts.freeNames().view(move.sourceParent(), move.sourceNames());
      Entry entry = requireSource(move, view);
      Claim claim = Claim.moveAway(move.id(), entry.uid());
      if (writer.apply(
          IndexChange.of(move.sourceParent(), IndexHead.OPEN)
              .expectFree(name, view.storedEntry(name))
              .set(
                  IndexKeys.transaction(move.id()),
                  TransactionMark.keeping(move.decider()).encode())
              .set(IndexKeys.claim(name), claim.encode(move.source()))
              .transactional()
              .seen(view))) {
        return entry;
      }
    }
    throw new IOException(move.source() + " keeps changing and cannot be renamed; try again");
  }

  private void decide(Move move, Staged staged, boolean overwrite) throws IOException {
    String name = move.destination().name();
    String decision = IndexKeys.decision(move.id());
    byte[] pending = new Decision(Decision.State.PENDING, move.owner()).encode();
    byte[] committed = new Decision(Decision.State.COMMITTED, move.owner()).encode();
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<Transactions.State> state = transactions.state(move.registration());
      if (state.filter(s -> s == Transactions.State.COMMITTED).isPresent()) {
        return;
      }
      if (state.filter(s -> s == Transactions.State.PENDING).isEmpty()) {
        throw new AbortedByOthersException();
      }
      List<String> names = new ArrayList<>(List.of(name));
      if (move.withinParent()) {
        names.add(move.source().name());
      }
      DirectoryView view = parts.freeNames().view(move.decider(), names);
      if (!view.isOpen()) {
        throw new FileNotFoundException("there is no directory " + move.decider());
      }
      Optional<Entry> replaced = view.entry(name);
      requireReplaceable(move.destination(), staged.moved(), replaced, overwrite);
      IndexChange change =
          IndexChange.of(move.decider(), IndexHead.OPEN)
              .expect(decision, pending)
              .expectFree(name, view.storedEntry(name))
              .set(decision, committed)
              .set(IndexKeys.entry(name), EntryCodec.encode(move.destination(), staged.moved()))
              .transactional();
      if (move.withinParent()) {
        String old = move.source().name();
        if (view.entry(old).filter(staged.old()::equals).isEmpty()) {
          throw new FileNotFoundException(move.source() + " was changed by others; try again");
        }
        change.expectFree(old, view.storedEntry(old)).remove(IndexKeys.entry(old));
      }
      replaced.ifPresent(
          old ->
              change.set(
                  IndexKeys.reclaim(old.uid()),
                  parts.retention().replaced(move.destination(), old).encode()));
      if (writer.applyOrLookAgain(change)) {
        return;
      }
    }
    throw new IOException("directory " + move.decider() + " keeps changing; rename to it again");
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

  /** Settles a decided move everywhere, then forgets it. */
  private void finish(Move move, boolean committed) throws IOException {
    if (committed) {
      settleNew(move, move.destination());
    }
    settleOld(move, move.source(), committed);
    if (!committed) {
      settleNew(move, move.destination());
    }
    if (!move.withinParent()) {
      parts.settler().settle(move.sourceParent(), move.id(), committed);
    }
    parts.reclaimer().reclaim(move.decider());
    transactions.forget(move.registration());
  }

  /** New indexes, from the top down when committed and from the leaves up when withdrawn. */
  private void settleNew(Move move, FsPath directory) throws IOException {
    String key = IndexKeys.transaction(move.id());
    if (reader.keys(directory, List.of(key)).value(key).isEmpty()) {
      return;
    }
    List<String> below = new ArrayList<>();
    for (DirectoryPage page = reader.page(directory, IndexKeys.CLAIM_PREFIX, "");
        ;
        page = reader.page(directory, IndexKeys.CLAIM_PREFIX, page.lastKey())) {
      page.entries().keySet().forEach(claim -> below.add(IndexKeys.nameOf(claim)));
      if (!page.more()) {
        break;
      }
    }
    Optional<Transactions.State> state = transactions.state(move.registration());
    if (state.isEmpty()) {
      return; // somebody else has settled it everywhere since, and forgotten it
    }
    boolean committed = state.get() == Transactions.State.COMMITTED;
    if (committed) {
      below.addAll(parts.storedChildren().of(directory).keySet());
    }
    for (String name : below) {
      settleNew(move, directory.child(name));
    }
    parts.settler().settle(directory, move.id(), committed);
  }

  /** Frozen indexes, from the leaves up, so that what is left can be found from the top. */
  private void settleOld(Move move, FsPath directory, boolean committed) throws IOException {
    Optional<IndexHead> head = reader.keys(directory, List.of()).head();
    if (head.filter(IndexHead.frozen(move.id())::equals).isEmpty()) {
      return;
    }
    for (Map.Entry<String, Entry> child : parts.storedChildren().of(directory).entrySet()) {
      if (child.getValue() instanceof Entry.OfDirectory) {
        settleOld(move, directory.child(child.getKey()), committed);
      }
    }
    parts.settler().settle(directory, move.id(), committed);
  }

  /**
   * Finishes or aborts what crashed clients left of renames into a directory, and settles elsewhere
   * what jobs that are decided here have committed there. A page of reads where there is nothing.
   */
  public void recover(FsPath directory) throws IOException {
    DirectoryPage page = reader.page(directory, IndexKeys.DECISION_PREFIX, "");
    for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
      String id = stored.getKey().substring(IndexKeys.DECISION_PREFIX.length());
      Decision decision = Decision.decode(page.view().object(), id, stored.getValue());
      Optional<Move> move = Move.parse(id, decision.owner());
      if (move.isPresent()) {
        Transactions.State state = transactions.abort(move.get().registration());
        finish(move.get(), state == Transactions.State.COMMITTED);
      } else if (decision.is(Decision.State.COMMITTED) && !decision.elsewhere().isEmpty()) {
        transactions.settle(
            new Registration(id, directory, decision.owner()), decision.elsewhere());
      }
    }
  }

  /** One rename. */
  private record Move(String id, FsPath source, FsPath destination) {

    Move(FsPath source, FsPath destination) {
      this(Uid.random().value(), source, destination);
    }

    static Optional<Move> parse(String id, String owner) {
      if (!owner.startsWith(FreeNames.RENAME_OWNER)) {
        return Optional.empty();
      }
      String[] paths = owner.substring(FreeNames.RENAME_OWNER.length()).split("//", 2);
      return Optional.of(new Move(id, new FsPath(paths[0]), new FsPath(paths[1])));
    }

    /** Paths hold no double slash, which so can part them. */
    String owner() {
      return FreeNames.RENAME_OWNER + source.key() + "//" + destination.key();
    }

    FsPath decider() {
      return destination.parent();
    }

    FsPath sourceParent() {
      return source.parent();
    }

    List<String> sourceNames() {
      return Collections.singletonList(source.name());
    }

    boolean withinParent() {
      return source.parent().equals(destination.parent());
    }

    Registration registration() {
      return new Registration(id, decider(), owner());
    }

    FsPath newPathOf(FsPath old) throws PathIOException {
      try {
        return destination.resolve(old.relativeTo(source));
      } catch (FsPath.InvalidNameException e) {
        throw new PathIOException(old.toString(), e);
      }
    }
  }
}
