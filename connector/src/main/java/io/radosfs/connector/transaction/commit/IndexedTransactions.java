package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.read.StoredTransactionStatuses;
import io.radosfs.connector.transaction.read.TransactionStatuses;
import io.radosfs.connector.transaction.wiring.TransactionParts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/**
 * {@link Transactions} over directory indexes. Reads as the protocol: register, prepare, decide,
 * resolve.
 */
public final class IndexedTransactions implements Transactions {

  private final TransactionParts parts;
  private final IndexReader reader;
  private final IndexWriter writer;
  private final Attributes newDirectories;
  private final DirectoryLoop loop;
  private final OverwriteLock overwriteLock;

  public IndexedTransactions(
      TransactionParts parts, Attributes newDirectories, DirectoryLoop loop) {
    this.parts = parts;
    this.reader = parts.reader();
    this.writer = parts.writer();
    this.newDirectories = newDirectories;
    this.loop = loop;
    this.overwriteLock = new OverwriteLock(parts);
  }

  @Override
  public void register(Registration registration) throws IOException {
    FsPath coordinator = registration.coordinator();
    String key = IndexKeys.transactionStatus(registration.id());
    parts
        .retries()
        .until(
            "registration of " + what(registration),
            () -> {
              DirectoryView view = reader.keys(coordinator, List.of(key));
              parts.router().saw(view);
              if (view.value(key).isPresent()) {
                return true;
              }
              if (!view.isOpen()) {
                openExisting(coordinator);
                return false;
              }
              TransactionStatus pending =
                  new TransactionStatus(TransactionStatus.State.PENDING, registration.owner());
              return writer.applyUnseen(
                  IndexChange.of(view).expectAbsent(key).set(key, pending.encode()).seen(view));
            });
  }

  private static String what(Registration registration) {
    return "transaction " + registration.id() + " in directory " + registration.coordinator();
  }

  private void openExisting(FsPath directory) throws IOException {
    Attributes attributes = newDirectories;
    if (!directory.isRoot()) {
      attributes =
          parts
              .visible()
              .lookup(directory.parent(), directory.name())
              .filter(entry -> entry instanceof Entry.OfDirectory)
              .orElseThrow(() -> new FileNotFoundException("there is no directory " + directory))
              .attributes();
    }
    parts.openIndexes().open(directory, attributes);
  }

  @Override
  public Map<Registration, State> registered(FsPath coordinator) throws IOException {
    Map<Registration, State> all = new LinkedHashMap<>();
    parts.storedStatuses().visit(coordinator, jobs(all));
    return all;
  }

  @Override
  public Map<Registration, State> someRegistered(FsPath coordinator, String after)
      throws IOException {
    Map<Registration, State> some = new LinkedHashMap<>();
    parts.storedStatuses().visitSome(coordinator, after, jobs(some));
    return some;
  }

  private static StoredTransactionStatuses.Visitor jobs(Map<Registration, State> found) {
    return (directory, registration, status) -> {
      if (!OwnTransactions.isOwner(status.owner())) {
        found.put(registration, State.valueOf(status.state().name()));
      }
    };
  }

  @Override
  public Optional<State> state(Registration registration) throws IOException {
    return parts
        .statuses()
        .ask(registration.id(), registration.coordinator())
        .map(status -> State.valueOf(status.state().name()));
  }

  @Override
  public void takeOverwriteLock(Registration registration) throws IOException {
    overwriteLock.take(registration);
  }

  @Override
  public void releaseOverwriteLock(Registration registration) throws IOException {
    overwriteLock.release(registration);
  }

  @Override
  public Committed commit(
      Registration registration, TransactionChanges changes, Set<FsPath> removeWhole)
      throws IOException {
    return decided(
            registration,
            changes,
            removeWhole,
            parts.preparer(registration.id(), registration.coordinator()))
        .resolve();
  }

  @Override
  public Committed commitToo(
      Registration registration, TransactionChanges changes, Set<FsPath> removeWhole)
      throws IOException {
    return decided(
            registration,
            changes,
            removeWhole,
            parts.preparerBesideOthers(registration.id(), registration.coordinator()))
        .resolve();
  }

  /** All that can fail a commit. */
  private Decided decided(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      Preparer preparer)
      throws IOException {
    DirectoryLocker locker = parts.locker(registration.id(), registration.coordinator());
    Prepared prepared =
        requireNotAborted(registration) == State.PENDING
            ? withLocker(
                locker,
                () -> prepareAndDecide(registration, changes, removeWhole, preparer, locker))
            : new Prepared(Optional.empty(), false, Set.of());
    return new Decided(
        () -> {
          resolve(registration, changes, removeWhole, preparer, prepared);
          preparer.resolved();
          locker.removeIndexesMadeInVain();
          for (FsPath directory : changes.directories()) {
            if (!prepared.counted().contains(directory)) {
              parts.growth().added(directory, changes.size(directory));
            }
          }
        });
  }

  private void resolve(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      Preparer preparer,
      Prepared here)
      throws IOException {
    Set<FsPath> directories = new HashSet<>(changes.directories());
    directories.addAll(removeWhole);
    resolve(
        registration,
        directories,
        (level, work) -> onEach(level, here.plan(), work),
        directory -> {
          boolean resolved =
              directory.equals(registration.coordinator()) && here.coordinatorResolved()
                  || here.plan().isPresent()
                      && preparer.preparedHere().apply(directory, here.plan().get());
          if (!resolved) {
            resolveOne(registration.id(), directory, true);
          }
        });
  }

  /**
   * What a call has prepared and decided.
   *
   * @param plan empty when another has
   * @param coordinatorResolved whether nothing of it is to be resolved in the coordinator
   * @param counted directories whose names were counted before, with those that are added
   */
  private record Prepared(
      Optional<CommitPlan> plan, boolean coordinatorResolved, Set<FsPath> counted) {}

  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  private static <T> T withLocker(DirectoryLocker locker, Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (IOException e) {
      try {
        FollowUp.evenIfInterrupted(locker::removeIndexesMadeInVain);
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  /**
   * Removes a directory whole, by a transaction that is decided in its parent and registered there.
   * Not resolved yet when this returns.
   *
   * @param uid which directory it is
   * @param onlyIfEmpty whether it must have no children
   * @throws PathIsNotEmptyDirectoryException when it has
   * @throws org.apache.hadoop.fs.PathIOException when it is another directory by now
   */
  public void removeDirectory(
      Registration registration, FsPath directory, Uid uid, boolean onlyIfEmpty)
      throws IOException {
    DirectoryLocker locker = parts.locker(registration.id(), registration.coordinator());
    boolean unused =
        withLocker(
            locker,
            () -> {
              locker.lockToRemove(
                  directory, requireDirectory(directory, uid), TransactionMark::removing, true);
              if (onlyIfEmpty) {
                parts
                    .storedChildren()
                    .visit(
                        directory,
                        (name, entry) -> {
                          throw new PathIsNotEmptyDirectoryException(directory.toString());
                        });
              }
              Entry entry = requireDirectory(directory, uid);
              CommitPlan plan =
                  CommitPlan.of(
                      registration.coordinator(),
                      TransactionChanges.of(Map.of()),
                      Map.of(directory, entry),
                      newDirectories,
                      parts.limit());
              return decide(
                  parts.preparer(registration.id(), registration.coordinator()),
                  registration,
                  plan.whole(registration.coordinator()),
                  Set.of());
            });
  }

  private Entry.OfDirectory requireDirectory(FsPath directory, Uid uid) throws IOException {
    return requireDirectory(directory)
        .filter(entry -> entry.uid().equals(uid))
        .orElseThrow(() -> NameChanges.changed(directory));
  }

  private Optional<Entry.OfDirectory> requireDirectory(FsPath directory) throws IOException {
    return parts
        .visible()
        .lookup(directory.parent(), directory.name())
        .filter(Entry.OfDirectory.class::isInstance)
        .map(Entry.OfDirectory.class::cast);
  }

  private Prepared prepareAndDecide(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      Preparer preparer,
      DirectoryLocker locker)
      throws IOException {
    Map<FsPath, Entry> removed = lock(removeWhole, locker);
    CommitPlan plan =
        CommitPlan.of(registration.coordinator(), changes, removed, newDirectories, parts.limit());
    Set<FsPath> counted = new HashSet<>();
    for (FsPath directory : changes.directories()) {
      if (parts.growth().adding(directory, changes.size(directory))) {
        counted.add(directory);
      }
    }
    for (List<FsPath> level : plan.deepestFirst()) {
      onEach(level, Optional.of(plan), directory -> prepare(preparer, directory, plan));
    }
    NameChanges atDecision = NameChanges.none();
    if (plan.fitsOneOperation(registration.coordinator())) {
      atDecision = plan.whole(registration.coordinator());
    } else {
      prepare(preparer, registration.coordinator(), plan);
    }
    // Locked directories are resolved there too, whoever does it.
    Set<FsPath> elsewhere = plan.elsewhere();
    removeWhole.stream()
        .filter(directory -> CommitPlan.isElsewhere(directory, registration.coordinator()))
        .forEach(elsewhere::add);
    boolean resolved = decide(preparer, registration, atDecision, elsewhere);
    return new Prepared(Optional.of(plan), resolved, counted);
  }

  /**
   * Works on directories, several at a time; but one after another on those whose changes take
   * several operations, so that few of these are in memory at a time.
   */
  private void onEach(
      Collection<FsPath> directories, Optional<CommitPlan> plan, DirectoryLoop.Work<FsPath> work)
      throws IOException {
    List<FsPath> large =
        directories.stream()
            .filter(directory -> plan.isPresent() && !plan.get().fitsOneOperation(directory))
            .toList();
    List<FsPath> others = new ArrayList<>(directories);
    others.removeAll(large);
    loop.run(others, work);
    DirectoryLoop.sequential().run(large, work);
  }

  private void prepare(Preparer preparer, FsPath directory, CommitPlan plan) throws IOException {
    boolean isElsewhere = CommitPlan.isElsewhere(directory, preparer.coordinator());
    if (isElsewhere) {
      // No intent leads from the coordinator there, so it must be there on its own; the mark
      // then keeps it from being removed or moved.
      parts.openIndexes().open(directory, newDirectories);
    }
    plan.inBatches(directory, batch -> preparer.prepare(directory, batch, !isElsewhere));
  }

  private State requireNotAborted(Registration registration) throws IOException {
    State state =
        state(registration)
            .orElseThrow(
                () ->
                    new TransactionAbortedException(
                        "transaction "
                            + registration.id()
                            + " is not registered in "
                            + registration.coordinator()
                            + ": it was aborted, or the directory was removed meanwhile"));
    if (state == State.ABORTED) {
      throw new TransactionAbortedException(
          "transaction "
              + registration.id()
              + " in "
              + registration.coordinator()
              + " was aborted before it could commit");
    }
    return state;
  }

  private Map<FsPath, Entry> lock(Set<FsPath> removeWhole, DirectoryLocker locker)
      throws IOException {
    Map<FsPath, Entry> removed = new HashMap<>();
    for (FsPath directory : removeWhole) {
      Entry.OfDirectory entry =
          requireDirectory(directory).orElseThrow(() -> NameChanges.changed(directory));
      locker.lockToRemove(directory, entry, TransactionMark::replacing, false);
      removed.put(directory, entry);
    }
    return removed;
  }

  /**
   * The one operation that is the commit.
   *
   * @return whether nothing of it is to be resolved there
   */
  private boolean decide(
      Preparer preparer, Registration registration, NameChanges atDecision, Set<FsPath> elsewhere)
      throws IOException {
    return parts
        .retries()
        .run(
            "commit of " + what(registration),
            new Deciding(preparer, registration, atDecision, elsewhere));
  }

  /** Tries to decide; the first time with what was prepared in mind, later with a look at it. */
  private final class Deciding implements Retries.Task<Boolean> {

    private final Preparer preparer;
    private final Registration registration;
    private final FsPath coordinator;
    private final String key;
    private final Set<FsPath> elsewhere;
    private NameChanges changes;
    private boolean first = true;

    Deciding(
        Preparer preparer,
        Registration registration,
        NameChanges atDecision,
        Set<FsPath> elsewhere) {
      this.preparer = preparer;
      this.registration = registration;
      this.coordinator = registration.coordinator();
      this.key = IndexKeys.transactionStatus(registration.id());
      this.elsewhere = elsewhere;
      this.changes = atDecision;
    }

    @Override
    public Optional<Boolean> attempt() throws IOException {
      if (!first && requireNotAborted(registration) == State.COMMITTED) {
        return Optional.of(false);
      }
      boolean isFirst = first;
      first = false;
      DirectoryView view =
          parts
              .freeNames()
              .viewOfHead(coordinator, changes.names(), changes.directories().keySet());
      if (!view.isOpen()) {
        throw new TransactionAbortedException(
            "directory " + coordinator + " was removed before " + registration.id() + " committed");
      }
      if (view.isSharded() && !changes.isEmpty()) {
        // The names are elsewhere than the decision.
        preparer.prepare(coordinator, changes, /* isNew= */ false);
        changes = NameChanges.none();
        return Optional.empty();
      }
      changes.check(view);
      TransactionStatus pending =
          new TransactionStatus(TransactionStatus.State.PENDING, registration.owner());
      IndexChange change =
          IndexChange.of(view)
              .expect(key, pending.encode())
              .set(
                  key, pending.as(TransactionStatus.State.COMMITTED).concerning(elsewhere).encode())
              .transactional();
      changes.applyAtOnce(change, view, registration.id(), parts.retention());
      if (isFirst && changes.areMany()) {
        change.expectUnchanged(view);
      } else {
        changes.expectNames(change, view);
      }
      PreparedHere prepared = preparer.preparedHere();
      boolean alone = isFirst && !view.isSharded();
      if (alone) {
        prepared.expectNoOthers(change);
      } else {
        prepared.shared(IndexObject.head(coordinator));
      }
      if (writer.applyOrLookAgain(change)) {
        boolean resolved = alone && !prepared.isConcerned(coordinator) && changes.onlyAdds();
        prepared.decided(change);
        return Optional.of(resolved);
      }
      return Optional.empty();
    }
  }

  @Override
  public State abort(Registration registration) throws IOException {
    String key = IndexKeys.transactionStatus(registration.id());
    return parts
        .retries()
        .run(
            "abort of " + what(registration),
            () -> {
              DirectoryView view = reader.keys(registration.coordinator(), List.of(key));
              Optional<TransactionStatus> status = TransactionStatuses.in(view, registration.id());
              if (status.isEmpty() || status.get().is(TransactionStatus.State.ABORTED)) {
                return Optional.of(State.ABORTED);
              }
              if (status.get().is(TransactionStatus.State.COMMITTED)) {
                return Optional.of(State.COMMITTED);
              }
              boolean aborted =
                  writer.applyOrLookAgain(
                      IndexChange.of(view)
                          .expect(key, view.value(key))
                          .set(key, status.get().as(TransactionStatus.State.ABORTED).encode()));
              return aborted ? Optional.of(State.ABORTED) : Optional.empty();
            });
  }

  @Override
  public void resolve(Registration registration, Collection<FsPath> directories)
      throws IOException {
    State state = state(registration).orElse(State.ABORTED);
    if (state == State.PENDING) {
      throw new IllegalStateException("transaction " + registration.id() + " is not decided");
    }
    boolean committed = state == State.COMMITTED;
    resolve(
        registration,
        directories,
        loop::run,
        directory -> resolveOne(registration.id(), directory, committed));
  }

  /** How the directories of one level are worked on. */
  @FunctionalInterface
  private interface Runner {
    void run(List<FsPath> level, DirectoryLoop.Work<FsPath> work) throws IOException;
  }

  private void resolve(
      Registration registration,
      Collection<FsPath> directories,
      Runner runner,
      DirectoryLoop.Work<FsPath> one)
      throws IOException {
    SortedMap<Integer, List<FsPath>> levels = new TreeMap<>();
    for (FsPath directory : CommitPlan.withAncestors(directories, registration.coordinator())) {
      levels
          .computeIfAbsent(directory.components().size(), depth -> new ArrayList<>())
          .add(directory);
    }
    levels.put(-1, List.of(registration.coordinator()));
    // From the top down, so that a directory's entry is there before its index is opened.
    for (List<FsPath> level : levels.values()) {
      runner.run(level, one);
    }
  }

  private void resolveOne(String id, FsPath directory, boolean committed) throws IOException {
    if (!committed) {
      thaw(id, directory);
    }
    if (parts.resolver().resolve(directory, id, committed)) {
      parts.deferredDeletions().carryOut(directory);
    }
  }

  /** Withdraws a lock from the directories below; the directory itself comes last. */
  private void thaw(String id, FsPath directory) throws IOException {
    Optional<IndexHead> head = reader.keys(directory, List.of()).head();
    if (head.filter(h -> h.isFrozenBy(id)).isPresent()) {
      for (String name : parts.storedChildren().directories(directory).keySet()) {
        FsPath below = directory.child(name);
        thaw(id, below);
        parts.resolver().resolve(below, id, false);
      }
    }
  }

  @Override
  public void forget(Registration registration) throws IOException {
    String key = IndexKeys.transactionStatus(registration.id());
    TransactionStatus committed =
        new TransactionStatus(TransactionStatus.State.COMMITTED, registration.owner());
    if (writer.applyUnseen(
        IndexChange.of(registration.coordinator(), parts.router().open(registration.coordinator()))
            .expect(key, committed.encode())
            .remove(key))) {
      return;
    }
    parts
        .retries()
        .until(
            "end of " + what(registration),
            () -> {
              DirectoryView view = reader.keys(registration.coordinator(), List.of(key));
              Optional<byte[]> stored = view.value(key);
              if (stored.isEmpty()) {
                return true;
              }
              if (TransactionStatuses.in(view, registration.id())
                  .filter(s -> s.is(TransactionStatus.State.PENDING))
                  .isPresent()) {
                throw new IllegalStateException(
                    "transaction " + registration.id() + " is not decided");
              }
              return writer.applyUnseen(IndexChange.of(view).expect(key, stored).remove(key));
            });
  }
}
