// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.LocationRemovedException;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Prepares one transaction: writes its mark and its intents into the directories concerned. Nothing
 * of it is visible. To prepare the same again changes nothing, so that a commit can be repeated.
 * Several threads may prepare different directories.
 */
public final class Preparer {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final ClosingDirectories closingDirectories;
  private final String id;
  private final FsPath coordinator;
  private final DirectoryLoop loop;
  private final PreparedHere preparedHere;
  private final Optional<ProcessLedger> ledger;

  /** The ledger's lines for the indexes that this makes. */
  private final Map<FsPath, String> writtenDown = new ConcurrentHashMap<>();

  /** The directories whose indexes may have another layout than planned. */
  private final Set<FsPath> otherLayouts = ConcurrentHashMap.newKeySet();

  /**
   * @param freeNames for this transaction
   * @param ledger names the indexes that this makes, before they are made; empty if something else
   *     leads to them until they are resolved
   */
  Preparer(
      Indexes indexes,
      FreeNames freeNames,
      ClosingDirectories closingDirectories,
      DirectoryLoop loop,
      String id,
      FsPath coordinator,
      Optional<ProcessLedger> ledger) {
    this.ledger = ledger;
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.closingDirectories = closingDirectories;
    this.id = id;
    this.coordinator = coordinator;
    this.loop = loop;
    this.preparedHere = new PreparedHere(indexes.writer(), id, coordinator, loop);
  }

  /** The id by which it prepares. */
  String id() {
    return id;
  }

  FsPath coordinator() {
    return coordinator;
  }

  /** What has been prepared by this. */
  PreparedHere preparedHere() {
    return preparedHere;
  }

  /**
   * Prepares names in a directory. Makes its index if it is missing, but only below the
   * coordinator, as nothing would lead to it elsewhere. One write for a new directory; two reads
   * more for an old one, and a refused write if {@code isNew}; the same for each shard that has
   * some of the names.
   *
   * @throws LocationRemovedException if a directory elsewhere was removed meanwhile
   * @throws org.apache.hadoop.fs.PathIOException if an entry to be removed has changed
   * @param isNew whether the directory is thought to have no index
   */
  public void prepare(FsPath directory, DirectoryChange changes, boolean isNew) throws IOException {
    if (preparedHere.addIntents(directory, changes)) {
      return;
    }
    Optional<Shards> shards = indexes.router().remembered(directory);
    if (shards.isPresent() && prepareInShards(directory, shards.get(), changes)) {
      return;
    }
    if (isNew
        && changes.onlyAdds()
        && !directory.equals(coordinator)
        && !preparedHere.isConcerned(directory)
        && create(directory, changes)) {
      return;
    }
    indexes.retries().until(what(directory), () -> tryToPrepare(directory, changes));
  }

  /** Notes that all that this has prepared is resolved. */
  void resolved() {
    ledger.ifPresent(lines -> writtenDown.values().forEach(lines::crossOut));
  }

  private String what(FsPath directory) {
    return "preparation of transaction " + id + " in directory " + directory;
  }

  /**
   * Prepares names of a directory with shards, in each shard that has some. Returns false if these
   * shards are gone: it must be tried again.
   */
  private boolean prepareInShards(FsPath directory, Shards shards, DirectoryChange changes)
      throws IOException {
    preparedHere.inShards(directory, shards);
    AtomicBoolean all = new AtomicBoolean(true);
    Map<IndexObject, DirectoryChange> parts = changes.parts(directory, shards);
    loop.run(
        parts.keySet(),
        shard -> {
          if (!prepareInShard(shard, parts.get(shard))) {
            all.set(false);
          }
        });
    return all.get();
  }

  private boolean prepareInShard(IndexObject shard, DirectoryChange changes) throws IOException {
    return indexes
        .retries()
        .run(
            what(shard.directory()),
            () -> {
              DirectoryView prepared =
                  indexes.reader().keys(shard, Set.of(IndexKeys.transaction(id)));
              if (!ShardRouter.isUsed(prepared)
                  || prepared.head().orElseThrow().is(IndexHead.State.CLOSING)) {
                return Optional.of(false);
              }
              return tryToAddIntents(prepared, changes) ? Optional.of(true) : Optional.empty();
            });
  }

  private boolean create(FsPath directory, DirectoryChange changes) throws IOException {
    IndexChange change = creating(directory, changes);
    if (ledger.isPresent() && !writtenDown.containsKey(directory)) {
      writtenDown.put(directory, ledger.get().beginIndex(directory));
    }
    if (indexes.writer().applyUnseen(change)) {
      preparedHere.made(change, IndexHead.opening(id), changes);
      return true;
    }
    return false;
  }

  private IndexChange creating(FsPath directory, DirectoryChange changes) throws IOException {
    IndexChange change =
        IndexChange.creating(directory, IndexHead.opening(id))
            .set(IndexKeys.transaction(id), TransactionMark.keeping(coordinator).encode())
            .transactional();
    new IntendedChange(id, changes).setIntents(change);
    return change.layout(DataLayout.DEFAULT, changes.layout());
  }

  private boolean tryToPrepare(FsPath directory, DirectoryChange changes) throws IOException {
    DirectoryView prepared = indexes.reader().keys(directory, Set.of(IndexKeys.transaction(id)));
    indexes.router().saw(prepared);
    Optional<IndexHead> head = prepared.head();
    if (head.isEmpty()) {
      if (CommitPlan.isElsewhere(directory, coordinator)) {
        throw new LocationRemovedException(directory);
      }
      if (!changes.onlyAdds() || directory.equals(coordinator)) {
        throw IntendedChange.changed(directory);
      }
      return create(directory, changes);
    }
    if (head.get().is(IndexHead.State.CLOSING)) {
      closingDirectories.finish(directory, new Uid(head.get().tag()));
      return false;
    }
    if (head.get().isSharded()) {
      if (head.get().is(IndexHead.State.FROZEN)) {
        freeNames.view(directory, Set.of());
        return false;
      }
      return prepareInShards(directory, head.get().shards(), changes);
    }
    return tryToAddIntents(prepared, changes);
  }

  private boolean tryToAddIntents(DirectoryView prepared, DirectoryChange changes)
      throws IOException {
    if (prepared.value(IndexKeys.transaction(id)).isPresent()) {
      // A repeated commit: names without an intent are those of batches that were not written.
      DirectoryChange rest = withoutOwnIntents(prepared.index(), changes);
      if (rest.names().size() < changes.names().size()) {
        preparedHere.shared(prepared.index());
      }
      return rest.isEmpty() || addIntents(prepared, rest);
    }
    return addIntents(prepared, changes);
  }

  private DirectoryChange withoutOwnIntents(IndexObject index, DirectoryChange changes)
      throws IOException {
    DirectoryView view = indexes.reader().names(index, changes.names());
    Set<String> intended = new HashSet<>();
    for (String name : changes.names()) {
      if (hasOwnIntent(view, name)) {
        intended.add(name);
      }
    }
    return changes.without(intended);
  }

  /** Whether this transaction, by this call or an earlier one, has intents on any of the names. */
  boolean hasPrepared(DirectoryView view, DirectoryChange changes) throws IOException {
    return firstPrepared(view, changes).isPresent();
  }

  private Optional<String> firstPrepared(DirectoryView view, DirectoryChange changes)
      throws IOException {
    for (String name : view.hasIntents() ? changes.names() : Set.<String>of()) {
      if (hasOwnIntent(view, name)) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  private boolean hasOwnIntent(DirectoryView view, String name) throws IOException {
    return view.intent(name).filter(intent -> intent.isBy(id)).isPresent();
  }

  /**
   * Writes intents on names.
   *
   * @param before the first view of the index object, with the transaction's mark if there was one
   */
  private boolean addIntents(DirectoryView before, DirectoryChange changes) throws IOException {
    IndexObject index = before.index();
    DirectoryView view = freeNames.view(index, changes.names(), changes.sharedNames());
    Optional<IndexHead> head = view.head();
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING) || view.isSharded()) {
      return false;
    }
    Optional<String> prepared = firstPrepared(view, changes);
    if (prepared.isPresent()) {
      // Written by another client that commits the same transaction, since the first view.
      freeNames.requireMarks(view, prepared.get());
      return false;
    }
    IntendedChange intended = new IntendedChange(id, changes);
    intended.check(view);
    if (!layoutsAgree(view, changes)) {
      return false;
    }
    if (intended.isOfMany()) {
      IndexChange change = adding(view, intended).expectUnchanged(view);
      if (indexes.writer().applyUnseen(change)) {
        preparedHere.intended(change, changes, before, view);
        return true;
      }
    }
    IndexChange change = adding(view, intended);
    intended.expectNames(change, view);
    preparedHere.shared(index);
    return indexes.writer().applyUnseen(change);
  }

  /**
   * If others have made a directory since this was planned, gives its index the layout of its
   * entry: the index that this transaction has made is opened with the layout that it has. Costs
   * nothing if the layout is as planned; else one read and one write for each such index that is
   * not open. Returns false if it must be tried again.
   *
   * @param parent the directory above, with the entries that the intents are guarded with
   */
  boolean layoutsAgree(DirectoryView parent, DirectoryChange changes) throws IOException {
    boolean agree = true;
    for (Map.Entry<String, Entry.OfDirectory> made : changes.directories().entrySet()) {
      FsPath directory = parent.directory().child(made.getKey());
      DataLayout planned = made.getValue().layout();
      DataLayout layout =
          parent.entry(made.getKey()).orElse(made.getValue()) instanceof Entry.OfDirectory there
              ? there.layout()
              : planned;
      if (!layout.equals(planned) || otherLayouts.contains(directory)) {
        agree &= hasLayout(directory, layout);
      }
    }
    return agree;
  }

  private boolean hasLayout(FsPath directory, DataLayout layout) throws IOException {
    if (!preparedHere.mayBeOpening(directory)) {
      return true;
    }
    otherLayouts.add(directory);
    DirectoryView view = indexes.reader().keys(directory, Set.of());
    return view.head().filter(IndexHead.opening(id)::equals).isEmpty()
        || view.layout().equals(layout)
        || indexes
            .writer()
            .applyUnseen(IndexChange.of(view).seen(view).layout(view.layout(), layout));
  }

  /** The change that writes intents on names, without guards on the names. */
  private IndexChange adding(DirectoryView view, IntendedChange changes) throws IOException {
    IndexChange change =
        IndexChange.of(view)
            .set(IndexKeys.transaction(id), TransactionMark.keeping(coordinator).encode())
            .transactional()
            .seen(view);
    for (Map.Entry<String, WriteIntent> entry : changes.intents().entrySet()) {
      String name = entry.getKey();
      String key = IndexKeys.intent(name);
      FsPath path = view.directory().child(name);
      WriteIntent intent = entry.getValue();
      if (intent.kind() != WriteIntent.Kind.MAKE_DIRECTORY) {
        change.set(key, intent.encode(path));
      } else if (view.storedEntry(name).isEmpty()) {
        Optional<WriteIntent> shared = view.intent(name).map(other -> other.sharedWith(id));
        change.set(key, shared.orElse(intent).encode(path));
      }
    }
    return change;
  }
}
