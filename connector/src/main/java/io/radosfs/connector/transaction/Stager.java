package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.retry.Retries;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stages one transaction: writes its mark and its intents into the directories concerned. Nothing
 * of it is visible. Staging the same again changes nothing, so that a commit can be repeated.
 */
final class Stager {

  private final IndexReader reader;
  private final IndexWriter writer;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final ShardRouter router;
  private final String id;
  private final FsPath coordinator;
  private final DirectoryLoop loop;
  private final StagedHere stagedHere;
  private final Retries retries;
  private final Optional<ProcessLedger> ledger;

  /** The lines in the ledger of the indexes that this makes. */
  private final Map<FsPath, String> writtenDown = new ConcurrentHashMap<>();

  /**
   * @param ledger where indexes that this makes are written down before; empty where something else
   *     leads to them until they are resolved
   */
  Stager(TransactionParts parts, String id, FsPath coordinator, Optional<ProcessLedger> ledger) {
    this.ledger = ledger;
    this.reader = parts.reader();
    this.writer = parts.writer();
    this.freeNames = parts.freeNames().forTransaction(id);
    this.deferredDeletions = parts.deferredDeletions();
    this.router = parts.router();
    this.id = id;
    this.coordinator = coordinator;
    this.loop = parts.loop();
    this.retries = parts.retries();
    this.stagedHere = new StagedHere(writer, id, coordinator, loop);
  }

  FsPath coordinator() {
    return coordinator;
  }

  /** What has been staged by this. */
  StagedHere stagedHere() {
    return stagedHere;
  }

  /**
   * Stages names in a directory, making its index where it lacks; but not elsewhere than below the
   * coordinator, as nothing would lead to it. One write for a new directory, one read more for an
   * old one; in pieces where they are many or in several shards.
   *
   * @throws org.apache.hadoop.fs.PathIOException when a directory elsewhere was removed meanwhile
   * @param isNew whether the directory is thought to lack an index
   */
  void stage(FsPath directory, NameChanges changes, boolean isNew) throws IOException {
    if (stagedHere.addIntents(directory, changes)) {
      return;
    }
    Optional<Shards> shards = router.remembered(directory);
    if (shards.isPresent() && stageInShards(directory, shards.get(), changes)) {
      return;
    }
    if (isNew
        && changes.onlyAdds()
        && !directory.equals(coordinator)
        && !stagedHere.isConcerned(directory)
        && create(directory, changes)) {
      return;
    }
    retries.until(what(directory), () -> tryToStage(directory, changes));
  }

  /** All that this has staged is resolved. */
  void resolved() {
    ledger.ifPresent(lines -> writtenDown.values().forEach(lines::settle));
  }

  private String what(FsPath directory) {
    return "staging of transaction " + id + " in directory " + directory;
  }

  /**
   * Stages names of a directory with shards, in each of those that have some. Answers false when
   * these shards are no more, and it must be looked at again.
   */
  private boolean stageInShards(FsPath directory, Shards shards, NameChanges changes)
      throws IOException {
    stagedHere.inShards(directory, shards);
    AtomicBoolean all = new AtomicBoolean(true);
    Map<IndexObject, NameChanges> parts = changes.parts(directory, shards);
    loop.run(
        parts.keySet(),
        shard -> {
          if (!stageInShard(shard, parts.get(shard))) {
            all.set(false);
          }
        });
    return all.get();
  }

  private boolean stageInShard(IndexObject shard, NameChanges changes) throws IOException {
    return retries.run(
        what(shard.directory()),
        () -> {
          DirectoryView staged = reader.keys(shard, Set.of(IndexKeys.transaction(id)));
          if (!ShardRouter.isUsed(staged)
              || staged.head().orElseThrow().is(IndexHead.State.CLOSING)) {
            return Optional.of(false);
          }
          return tryToAddIntents(staged, changes) ? Optional.of(true) : Optional.empty();
        });
  }

  private boolean create(FsPath directory, NameChanges changes) throws IOException {
    IndexChange change = creating(directory, changes);
    if (ledger.isPresent() && !writtenDown.containsKey(directory)) {
      writtenDown.put(directory, ledger.get().beginIndex(directory));
    }
    if (writer.applyUnseen(change)) {
      stagedHere.made(change, IndexHead.opening(id), changes);
      return true;
    }
    return false;
  }

  private IndexChange creating(FsPath directory, NameChanges changes) throws IOException {
    IndexChange change =
        IndexChange.creating(directory, IndexHead.opening(id))
            .set(IndexKeys.transaction(id), TransactionMark.keeping(coordinator).encode())
            .transactional();
    for (Map.Entry<String, WriteIntent> intent : changes.intents(id).entrySet()) {
      change.set(
          IndexKeys.intent(intent.getKey()),
          intent.getValue().encode(directory.child(intent.getKey())));
    }
    return withLayout(change, changes.layout());
  }

  static IndexChange withLayout(IndexChange change, DataLayout layout) {
    return layout.isDefault() ? change : change.set(IndexKeys.LAYOUT, layout.encode());
  }

  private boolean tryToStage(FsPath directory, NameChanges changes) throws IOException {
    DirectoryView staged = reader.keys(directory, Set.of(IndexKeys.transaction(id)));
    router.saw(staged);
    Optional<IndexHead> head = staged.head();
    if (head.isEmpty()) {
      if (!changes.onlyAdds()
          || directory.equals(coordinator)
          || CommitPlan.isElsewhere(directory, coordinator)) {
        throw NameChanges.changed(directory);
      }
      return create(directory, changes);
    }
    if (head.get().is(IndexHead.State.CLOSING)) {
      deferredDeletions.finishRemoval(directory, new Uid(head.get().tag()));
      return false;
    }
    if (head.get().isSharded()) {
      if (head.get().is(IndexHead.State.FROZEN)) {
        freeNames.view(directory, Set.of());
        return false;
      }
      return stageInShards(directory, head.get().shards(), changes);
    }
    return tryToAddIntents(staged, changes);
  }

  private boolean tryToAddIntents(DirectoryView staged, NameChanges changes) throws IOException {
    if (staged.value(IndexKeys.transaction(id)).isPresent()) {
      // A repeated commit; names without an intent yet are those of batches that did not come to
      // be.
      NameChanges rest = withoutOwnIntents(staged.index(), changes);
      if (rest.names().size() < changes.names().size()) {
        stagedHere.shared(staged.index());
      }
      return rest.isEmpty() || addIntents(staged, rest);
    }
    return addIntents(staged, changes);
  }

  private NameChanges withoutOwnIntents(IndexObject index, NameChanges changes) throws IOException {
    DirectoryView view = reader.names(index, changes.names());
    Set<String> intended = new HashSet<>();
    for (String name : changes.names()) {
      if (hasOwnIntent(view, name)) {
        intended.add(name);
      }
    }
    return changes.without(intended);
  }

  private boolean hasOwnIntent(DirectoryView view, String name) throws IOException {
    return view.intent(name).filter(intent -> intent.isBy(id)).isPresent();
  }

  /**
   * Writes intents on names.
   *
   * @param before the index object as it was seen first, with the transaction's mark if there was
   *     one
   */
  private boolean addIntents(DirectoryView before, NameChanges changes) throws IOException {
    IndexObject index = before.index();
    DirectoryView view = freeNames.view(index, changes.names(), changes.directories().keySet());
    Optional<IndexHead> head = view.head();
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING) || view.isSharded()) {
      return false;
    }
    for (String name : view.hasIntents() ? changes.names() : Set.<String>of()) {
      if (hasOwnIntent(view, name)) {
        // By another client that commits the same, since it was looked at first.
        return false;
      }
    }
    changes.check(view);
    if (changes.areMany()) {
      IndexChange change = adding(view, changes).expectUnchanged(view);
      if (writer.applyUnseen(change)) {
        stagedHere.intended(change, changes, before, view);
        return true;
      }
    }
    IndexChange change = adding(view, changes);
    changes.expectNames(change, view);
    stagedHere.shared(index);
    return writer.applyUnseen(change);
  }

  /** The change that writes intents on names, but for its guards on them. */
  private IndexChange adding(DirectoryView view, NameChanges changes) throws IOException {
    IndexChange change =
        IndexChange.of(view)
            .set(IndexKeys.transaction(id), TransactionMark.keeping(coordinator).encode())
            .transactional()
            .seen(view);
    for (Map.Entry<String, WriteIntent> entry : changes.intents(id).entrySet()) {
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
