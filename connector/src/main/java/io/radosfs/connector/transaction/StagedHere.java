package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directories in which one call has staged all of a transaction itself, as additions alone.
 * What is claimed there is known without reading it; so, once it is committed, it is applied
 * without, guarded with the {@link IndexKeys#TRANSACTIONS} that the last claim has set: nobody has
 * staged, settled or shared anything there since. Where that does not hold, the {@link Settler}
 * reads what there is, as it does for all others; and in directories with shards.
 *
 * <p>Thread-safe, as long as one directory is worked on by one thread.
 */
final class StagedHere {

  private final IndexWriter writer;
  private final String id;
  private final TransactionMark mark;
  private final Map<FsPath, Optional<State>> directories = new ConcurrentHashMap<>();

  /**
   * How the index was left.
   *
   * @param token the value of {@link IndexKeys#TRANSACTIONS}, and of {@link IndexKeys#CHANGE}
   * @param made whether this call made the index, so that nothing but its claims was in it
   */
  private record State(IndexHead head, Uid token, boolean made) {

    byte[] guard() {
      return token.value().getBytes(StandardCharsets.UTF_8);
    }

    State after(IndexChange change) {
      return new State(head, change.token(), made);
    }
  }

  StagedHere(IndexWriter writer, String id, FsPath decider) {
    this.writer = writer;
    this.id = id;
    this.mark = TransactionMark.keeping(decider);
  }

  /** A change was applied that made the index, with these claims and no others. */
  void made(IndexChange change, IndexHead head) {
    directories.put(change.index().directory(), Optional.of(new State(head, change.token(), true)));
  }

  /**
   * Claims more names in an index that this call has made and that nobody has changed since, which
   * needs no look at it. One write.
   *
   * @return false when that cannot be
   */
  boolean claimMore(FsPath directory, NameChanges changes) throws IOException {
    Optional<State> known =
        directories.getOrDefault(directory, Optional.empty()).filter(State::made);
    if (known.isEmpty() || !changes.onlyAdds() || !changes.directories().isEmpty()) {
      return false;
    }
    IndexChange change =
        IndexChange.of(directory, known.get().head())
            .expect(IndexKeys.CHANGE, known.get().guard())
            .transactional();
    for (Map.Entry<String, Claim> claim : changes.claims(id).entrySet()) {
      change.set(
          IndexKeys.claim(claim.getKey()),
          claim.getValue().encode(directory.child(claim.getKey())));
    }
    if (!writer.applyOrLookAgain(change)) {
      return false;
    }
    directories.put(directory, Optional.of(known.get().after(change)));
    return true;
  }

  /**
   * A change was applied that claimed names, guarded with the whole directory being as in the view.
   *
   * @param before an earlier view, with the transaction's mark if there was one
   */
  void claimed(IndexChange change, NameChanges changes, DirectoryView before, DirectoryView view)
      throws IOException {
    FsPath directory = change.index().directory();
    Optional<byte[]> seen = view.value(IndexKeys.TRANSACTIONS);
    Optional<State> known = directories.get(directory);
    boolean alone =
        known == null
            ? before.value(IndexKeys.transaction(id)).isEmpty() && before.sameTransactions(view)
            : known.filter(state -> Arrays.equals(state.guard(), seen.orElse(null))).isPresent();
    boolean additions = changes.onlyAdds() && changes.directories().isEmpty();
    directories.put(
        directory,
        alone && additions
            ? Optional.of(new State(view.head().orElseThrow(), change.token(), false))
            : Optional.empty());
  }

  /**
   * Guards the decision with nobody else having a part in what is staged in its directory: another
   * call for the same job may have.
   */
  void expectNoOthers(IndexChange decision) {
    Optional<State> known = directories.get(decision.index().directory());
    if (known == null) {
      decision.expectAbsent(IndexKeys.transaction(id));
    } else {
      known.ifPresent(state -> decision.expect(IndexKeys.TRANSACTIONS, state.guard()));
    }
  }

  /** The decision was applied, guarded so. */
  void decided(IndexChange decision) {
    directories.computeIfPresent(
        decision.index().directory(), (any, known) -> known.map(state -> state.after(decision)));
  }

  /** Others have a part in what is staged there. */
  void shared(FsPath directory) {
    directories.put(directory, Optional.empty());
  }

  /** Whether this call has staged anything there. */
  boolean isConcerned(FsPath directory) {
    return directories.containsKey(directory);
  }

  /**
   * Applies what was staged in a directory. One write for each batch.
   *
   * @return false when it must be settled as what others have staged
   */
  boolean apply(FsPath directory, CommitPlan plan) throws IOException {
    Optional<State> known = directories.getOrDefault(directory, Optional.empty());
    if (known.isEmpty()) {
      return false;
    }
    Application application = new Application(directory, known.get(), plan.size(directory));
    plan.inBatches(directory, application::on);
    return application.left == 0;
  }

  /** How far the batches of a directory have come. */
  private final class Application {
    private final FsPath directory;
    private State state;
    private int left;
    private boolean refused;

    Application(FsPath directory, State state, int names) {
      this.directory = directory;
      this.state = state;
      this.left = names;
    }

    void on(NameChanges batch) throws IOException {
      if (refused) {
        return;
      }
      IndexChange change =
          IndexChange.of(directory, state.head())
              .expect(IndexKeys.transaction(id), mark.encode())
              .expect(IndexKeys.TRANSACTIONS, state.guard())
              .transactional();
      for (Map<String, ? extends Entry> added : batch.additions()) {
        for (Map.Entry<String, ? extends Entry> entry : added.entrySet()) {
          change
              .set(
                  IndexKeys.entry(entry.getKey()),
                  EntryCodec.encode(directory.child(entry.getKey()), entry.getValue()))
              .remove(IndexKeys.claim(entry.getKey()));
        }
      }
      int rest = left - batch.names().size();
      if (rest == 0) {
        change.remove(IndexKeys.transaction(id));
        if (state.head().is(IndexHead.State.OPENING)) {
          change.head(IndexHead.OPEN);
        }
      }
      refused = !writer.applyOrLookAgain(change);
      if (!refused) {
        left = rest;
        state = state.after(change);
      }
    }
  }
}
