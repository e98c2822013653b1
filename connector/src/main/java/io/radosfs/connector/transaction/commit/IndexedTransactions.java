// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Transactions} over directory indexes. The steps are register, prepare, decide, resolve.
 */
public final class IndexedTransactions implements Transactions {

  private static final Logger LOG = LoggerFactory.getLogger(IndexedTransactions.class);

  private final StatusRecords records;
  private final OverwriteLock overwriteLock;
  private final Preparation preparation;
  private final Decision decision;
  private final TransactionResolution resolution;
  private final TransactionEnds ends;
  private final VisibleIndex visible;
  private final OpenIndexes openIndexes;
  private final DirectoryGrowth growth;
  private final BatchLimit limit;
  private final Attributes newDirectories;
  private final DirectoryLoop loop;
  private final Consumer<FsPath> replaced;

  /**
   * @param newDirectories attributes of directories that transactions make
   * @param loop runs the work on several directories
   * @param limit of one operation
   * @param replaced told of each directory that a commit has removed with all below it, or perhaps
   *     has
   */
  public IndexedTransactions(
      StatusRecords records,
      OverwriteLock overwriteLock,
      Preparation preparation,
      Decision decision,
      TransactionResolution resolution,
      VisibleIndex visible,
      OpenIndexes openIndexes,
      DirectoryGrowth growth,
      BatchLimit limit,
      Attributes newDirectories,
      DirectoryLoop loop,
      Consumer<FsPath> replaced) {
    this.records = records;
    this.overwriteLock = overwriteLock;
    this.preparation = preparation;
    this.decision = decision;
    this.resolution = resolution;
    this.ends = new TransactionEnds(records, resolution, loop);
    this.visible = visible;
    this.openIndexes = openIndexes;
    this.growth = growth;
    this.limit = limit;
    this.newDirectories = newDirectories;
    this.loop = loop;
    this.replaced = replaced;
  }

  @Override
  public void register(Registration registration) throws IOException {
    records.register(registration);
  }

  @Override
  public Map<Registration, State> registered(FsPath coordinator, Failures failures)
      throws IOException {
    return records.registered(coordinator, failures);
  }

  @Override
  public Neighbours neighbours(Registration own) throws IOException {
    return records.neighbours(own);
  }

  @Override
  public Optional<State> state(Registration registration) throws IOException {
    return records.state(registration);
  }

  @Override
  public State abort(Registration registration) throws IOException {
    return records.abort(registration).state();
  }

  @Override
  public AbortOutcome tryToAbort(Registration registration) throws IOException {
    return records.abort(registration);
  }

  @Override
  public void forget(Registration registration) throws IOException {
    records.forget(registration);
  }

  @Override
  public void list(Registration registration, State decided) throws IOException {
    records.list(registration, decided);
  }

  @Override
  public Optional<State> stateWhenRemoved(Registration registration) throws IOException {
    return records.stateWhenRemoved(registration);
  }

  @Override
  public boolean takeOverwriteLock(Registration registration, Collection<FsPath> elsewhere)
      throws IOException {
    return overwriteLock.take(registration, elsewhere);
  }

  @Override
  public OverwriteGuard overwriteGuard(Registration registration, Collection<FsPath> elsewhere) {
    return overwriteLock.guard(registration, elsewhere);
  }

  @Override
  public void releaseOverwriteLock(Registration registration, Collection<FsPath> elsewhere)
      throws IOException {
    overwriteLock.release(registration, elsewhere);
  }

  @Override
  public Committed commit(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      boolean besideOthers)
      throws IOException {
    List<Preparer> preparers = new ArrayList<>();
    GivingWay way = new GivingWay(records, registration);
    try {
      return records
          .retries()
          .run(
              "commit of " + StatusRecords.what(registration),
              () -> {
                Optional<Decided> decided =
                    tryToDecide(registration, changes, removeWhole, besideOthers, preparers);
                if (decided.isEmpty()) {
                  way.untilDecided();
                }
                return decided;
              })
          .resolve();
    } finally {
      removeWhole.forEach(replaced);
    }
  }

  /**
   * Empty if another client has taken the transaction over meanwhile.
   *
   * @param preparers those of earlier tries; this try adds its own
   */
  private Optional<Decided> tryToDecide(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      boolean besideOthers,
      List<Preparer> preparers)
      throws IOException {
    TransactionStatus status = decision.requireNotAborted(registration);
    boolean others = besideOthers || !status.takeovers().isEmpty();
    if (others && status.is(TransactionStatus.State.PENDING)) {
      // An abort may have come first.
      status = Decision.notAborted(registration, records.takeOver(registration));
    }
    preparers.add(
        preparation.preparer(
            status.prepared(registration.id()), registration.coordinator(), others));
    try {
      return Optional.of(decided(registration, status, changes, removeWhole, preparers));
    } catch (IOException e) {
      if (isTakenOver(registration, status, e)) {
        LOG.info("{} was taken over by another client", StatusRecords.what(registration), e);
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Whether a commit failed because another client has taken the transaction over. Then the record
   * shows that nothing was decided, and that an operation of this try which was not answered does
   * not decide either, however late it arrives. One read; none if RADOS would not answer it.
   */
  private boolean isTakenOver(
      Registration registration, TransactionStatus before, IOException failure) {
    if (!before.is(TransactionStatus.State.PENDING)
        || failure instanceof InterruptedIOException
        || Failures.hasWaitedInFull(failure)) {
      return false;
    }
    try {
      return records
          .record(registration)
          .filter(now -> now.is(TransactionStatus.State.PENDING) && !now.equals(before))
          .isPresent();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** The part of a commit that can fail. */
  private Decided decided(
      Registration registration,
      TransactionStatus status,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      List<Preparer> preparers)
      throws IOException {
    Preparer preparer = preparers.get(preparers.size() - 1);
    DirectoryLocker locker = preparation.locker(preparer.id(), registration.coordinator());
    Prepared prepared =
        status.is(TransactionStatus.State.PENDING)
            ? locker
                .made()
                .takingBack(
                    () ->
                        prepareAndDecide(
                            registration, status, changes, removeWhole, preparer, locker))
            : new Prepared(Optional.empty(), false, Set.of());
    return new Decided(
        () -> {
          try {
            resolve(registration, changes, removeWhole, preparer, prepared);
            preparers.forEach(Preparer::resolved);
            locker.made().removeInVain();
          } finally {
            locker.made().leave();
          }
          for (FsPath directory : changes.directories()) {
            if (!prepared.counted().contains(directory)) {
              growth.added(directory, changes.size(directory));
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
    TransactionStatus status = decision.requireNotAborted(registration);
    String prepared = status.prepared(registration.id());
    List<String> overtaken = status.overtaken(registration.id());
    resolution.resolve(
        registration,
        directories,
        (level, work) -> onEach(level, here.plan(), work),
        (directory, byId) -> {
          boolean resolved =
              directory.equals(registration.coordinator()) && here.coordinatorResolved()
                  || here.plan().isPresent()
                      && preparer.id().equals(prepared)
                      && preparer.preparedHere().apply(directory, here.plan().get());
          for (String id : overtaken) {
            byId.resolve(id, false);
          }
          if (!resolved) {
            byId.resolve(prepared, true);
          }
        });
  }

  /**
   * What a call has prepared and decided.
   *
   * @param plan empty if another call has decided
   * @param coordinatorResolved whether nothing is left to resolve in the coordinator
   * @param counted directories whose names, with the added ones, were counted already
   */
  private record Prepared(
      Optional<CommitPlan> plan, boolean coordinatorResolved, Set<FsPath> counted) {}

  private Prepared prepareAndDecide(
      Registration registration,
      TransactionStatus pending,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      Preparer preparer,
      DirectoryLocker locker)
      throws IOException {
    Map<FsPath, Entry> removed = lock(removeWhole, locker);
    CommitPlan plan =
        CommitPlan.of(registration.coordinator(), changes, removed, newDirectories, limit);
    Set<FsPath> counted = new HashSet<>();
    for (FsPath directory : changes.directories()) {
      if (growth.adding(directory, changes.size(directory))) {
        counted.add(directory);
      }
    }
    for (List<FsPath> level : plan.deepestFirst()) {
      onEach(level, Optional.of(plan), directory -> prepare(preparer, directory, plan));
    }
    DirectoryChange atDecision = DirectoryChange.none();
    if (plan.fitsOneOperation(registration.coordinator())) {
      atDecision = plan.whole(registration.coordinator());
    } else {
      prepare(preparer, registration.coordinator(), plan);
    }
    // Whoever resolves the transaction must find the locked directories too.
    Set<FsPath> elsewhere = plan.elsewhere();
    removeWhole.stream()
        .filter(directory -> CommitPlan.isElsewhere(directory, registration.coordinator()))
        .forEach(elsewhere::add);
    locker.made().decides();
    boolean resolved = decision.decide(preparer, registration, pending, atDecision, elsewhere);
    return new Prepared(Optional.of(plan), resolved, counted);
  }

  /**
   * Works on several directories at a time. Those whose changes take several operations come one
   * after another, so that few changes are in memory at a time.
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
      // No intent leads there from the coordinator, so the directory must exist by itself. The mark
      // then keeps it from being removed or moved.
      openIndexes.open(directory, newDirectories);
    }
    plan.inBatches(directory, batch -> preparer.prepare(directory, batch, !isElsewhere));
  }

  private Map<FsPath, Entry> lock(Set<FsPath> removeWhole, DirectoryLocker locker)
      throws IOException {
    Map<FsPath, Entry> removed = new HashMap<>();
    for (FsPath directory : removeWhole) {
      Entry.OfDirectory entry =
          visible.directory(directory).orElseThrow(() -> IntendedChange.changed(directory));
      locker.lockToRemove(directory, entry, TransactionMark::replacing, JobsThere.ENDED);
      removed.put(directory, entry);
    }
    return removed;
  }

  @Override
  public void resolve(Registration registration, Collection<FsPath> directories)
      throws IOException {
    ends.resolve(registration, directories);
  }
}
