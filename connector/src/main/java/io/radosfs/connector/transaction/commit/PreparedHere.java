// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.resolve.Resolver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directories in which one call has prepared all of a transaction itself, as additions alone.
 * The call knows which intents are there. So after the commit it applies them without a read,
 * guarded with the {@link IndexKeys#TRANSACTIONS} that the last intent has set: nobody has
 * prepared, resolved or shared anything there since. If that does not hold, the {@link Resolver}
 * reads what is there, as in all other directories. In a directory with shards the same holds for
 * each shard. But others may have prepared in any of them, so the resolver looks at all of them
 * afterwards.
 *
 * <p>Thread-safe, as long as one index object is worked on by one thread.
 */
final class PreparedHere {

  private final IndexWriter writer;
  private final String id;
  private final TransactionMark mark;
  private final DirectoryLoop loop;
  private final Map<IndexObject, Optional<State>> indexes = new ConcurrentHashMap<>();
  private final Map<FsPath, Shards> sharded = new ConcurrentHashMap<>();

  /**
   * How this call left an index.
   *
   * @param token the value of {@link IndexKeys#TRANSACTIONS}, and of {@link IndexKeys#CHANGE}
   * @param made whether this call made the index, so that only its intents are in it
   * @param names how many names this call has intents on there
   */
  private record State(IndexHead head, Uid token, boolean made, int names) {

    byte[] guard() {
      return token.value().getBytes(StandardCharsets.UTF_8);
    }

    State after(IndexChange change, int more) {
      return new State(head, change.token(), made, names + more);
    }
  }

  PreparedHere(IndexWriter writer, String id, FsPath coordinator, DirectoryLoop loop) {
    this.writer = writer;
    this.id = id;
    this.mark = TransactionMark.keeping(coordinator);
    this.loop = loop;
  }

  /** Notes that a change was applied that made the index, with these intents and no others. */
  void made(IndexChange change, IndexHead head, DirectoryChange changes) {
    State state = new State(head, change.token(), true, changes.names().size());
    indexes.put(change.index(), Optional.of(state));
  }

  /**
   * Writes intents on more names in an index that this call has made and nobody has changed since.
   * So it need not be read. One write.
   *
   * @return false if the index is not like that, or the changes are no mere additions
   */
  boolean addIntents(FsPath directory, DirectoryChange changes) throws IOException {
    IndexObject index = IndexObject.head(directory);
    Optional<State> known = known(index).filter(State::made);
    if (known.isEmpty() || !changes.onlyAdds()) {
      return false;
    }
    IndexChange change =
        IndexChange.of(index, known.get().head())
            .expect(IndexKeys.CHANGE, known.get().guard())
            .transactional();
    new IntendedChange(id, changes).setIntents(change);
    if (!writer.applyUnseen(change)) {
      return false;
    }
    indexes.put(index, Optional.of(known.get().after(change, changes.names().size())));
    return true;
  }

  private Optional<State> known(IndexObject index) {
    return indexes.getOrDefault(index, Optional.empty());
  }

  /**
   * Notes that a change was applied that wrote intents on names, guarded with the whole index
   * object being as in the view.
   *
   * @param before an earlier view, with the transaction's mark if there was one
   */
  void intended(
      IndexChange change, DirectoryChange changes, DirectoryView before, DirectoryView view)
      throws IOException {
    Optional<byte[]> seen = view.value(IndexKeys.TRANSACTIONS);
    Optional<State> known = indexes.get(change.index());
    boolean alone =
        known == null
            ? before.value(IndexKeys.transaction(id)).isEmpty() && before.sameTransactions(view)
            : known.filter(state -> Arrays.equals(state.guard(), seen.orElse(null))).isPresent();
    boolean additions = changes.onlyAdds() && changes.directories().isEmpty();
    int names = known == null ? 0 : known.map(State::names).orElse(0);
    IndexHead head = view.head().orElseThrow();
    // In an index that another made and nobody opened, the resolver sees to the layout.
    boolean opened = !head.is(IndexHead.State.OPENING) || head.tag().equals(id);
    State state =
        new State(head, change.token(), /* made= */ false, names + changes.names().size());
    indexes.put(
        change.index(), alone && additions && opened ? Optional.of(state) : Optional.empty());
  }

  /**
   * Guards the decision against other calls for the same job that have prepared in its directory.
   */
  void expectNoOthers(IndexChange decision) {
    Optional<State> known = indexes.get(decision.index());
    if (known == null) {
      decision.expectAbsent(IndexKeys.transaction(id));
    } else {
      known.ifPresent(state -> decision.expect(IndexKeys.TRANSACTIONS, state.guard()));
    }
  }

  /** Notes that the decision was applied with that guard. */
  void decided(IndexChange decision) {
    indexes.computeIfPresent(
        decision.index(), (any, known) -> known.map(state -> state.after(decision, 0)));
  }

  /** Notes that others may have prepared there too. */
  void shared(IndexObject index) {
    indexes.put(index, Optional.empty());
  }

  /** Notes that names of a directory are prepared in these shards. */
  void inShards(FsPath directory, Shards shards) {
    shared(IndexObject.head(directory));
    sharded.put(directory, shards);
  }

  /** Whether an index in which this call has prepared something may still have to be opened. */
  boolean mayBeOpening(FsPath directory) {
    Optional<State> known = indexes.get(IndexObject.head(directory));
    return known != null
        && known.filter(state -> !state.head().is(IndexHead.State.OPENING)).isEmpty();
  }

  /** Whether this call has prepared anything there. */
  boolean isConcerned(FsPath directory) {
    return indexes.containsKey(IndexObject.head(directory));
  }

  /**
   * Applies what was prepared in a directory. One write for each batch, or for each part of a batch
   * in a shard.
   *
   * @return false if the {@link Resolver} must still look at the directory
   */
  boolean apply(FsPath directory, CommitPlan plan) throws IOException {
    Shards shards = sharded.get(directory);
    if (shards != null) {
      applyInShards(directory, shards, plan);
      return false;
    }
    IndexObject index = IndexObject.head(directory);
    Optional<State> known = known(index);
    if (known.isEmpty()) {
      return false;
    }
    Application application = new Application(index, known.get(), plan.size(directory));
    plan.inBatches(directory, application::on);
    return application.left == 0;
  }

  private void applyInShards(FsPath directory, Shards shards, CommitPlan plan) throws IOException {
    Map<IndexObject, Application> applications = new HashMap<>();
    for (IndexObject shard : shards.of(directory)) {
      known(shard)
          .ifPresent(
              state -> applications.put(shard, new Application(shard, state, state.names())));
    }
    if (applications.isEmpty()) {
      return;
    }
    plan.inBatches(
        directory,
        batch -> {
          Map<IndexObject, DirectoryChange> parts = batch.parts(directory, shards);
          parts.keySet().retainAll(applications.keySet());
          loop.run(parts.keySet(), shard -> applications.get(shard).on(parts.get(shard)));
        });
  }

  /** How far the batches of an index object are applied. */
  private final class Application {
    private final IndexObject index;
    private State state;
    private int left;
    private boolean refused;

    Application(IndexObject index, State state, int names) {
      this.index = index;
      this.state = state;
      this.left = names;
    }

    void on(DirectoryChange batch) throws IOException {
      int rest = left - batch.names().size();
      if (refused || rest < 0) {
        // More names than intents: this call does not know all that is there.
        refused = true;
        return;
      }
      IndexChange change =
          IndexChange.of(index, state.head())
              .expect(IndexKeys.transaction(id), mark.encode())
              .expect(IndexKeys.TRANSACTIONS, state.guard())
              .transactional();
      for (Map<String, ? extends Entry> added : List.of(batch.add(), batch.directories())) {
        for (Map.Entry<String, ? extends Entry> entry : added.entrySet()) {
          FsPath path = index.directory().child(entry.getKey());
          change
              .set(IndexKeys.entry(entry.getKey()), EntryCodec.encode(path, entry.getValue()))
              .remove(IndexKeys.intent(entry.getKey()));
        }
      }
      if (rest == 0) {
        change.remove(IndexKeys.transaction(id));
        if (state.head().is(IndexHead.State.OPENING)) {
          change.head(IndexHead.OPEN);
        }
      }
      refused = !writer.applyUnseen(change);
      if (!refused) {
        left = rest;
        state = state.after(change, 0);
      }
    }
  }
}
