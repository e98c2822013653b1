// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.ListingGuard;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The overwrite locks of two directories, one of which is below the other. */
class NestedOverwriteLocksTest {

  private static final FsPath ABOVE = new FsPath("a/t");
  private static final FsPath BELOW = new FsPath("a/t/p");
  private static final Registration UPPER = StoredLocks.job("upper", ABOVE);
  private static final Registration LOWER = StoredLocks.job("lower", BELOW);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient client = cluster.client("user");
  private final StoredLocks locks = new StoredLocks(cluster);
  private SimulatedMount mount;
  private Transactions transactions;

  @BeforeEach
  void setUp() throws IOException {
    mount = SimulatedMount.of(client, Duration.ZERO);
    mount.write("/a/t/p/f", "f");
    transactions = mount.transactions();
    transactions.register(UPPER);
    transactions.register(LOWER);
  }

  private String head(FsPath directory) {
    return new String(
        locks.stored(directory, IndexKeys.HEAD).orElseThrow(), StandardCharsets.UTF_8);
  }

  private void list(Registration by) throws IOException {
    assertThat(
            mount.namespace().list(BELOW, transactions.overwriteGuard(by, Set.of()).before(BELOW)))
        .hasSize(1);
  }

  /** It dies when it has asked for the lock, and does not hold it yet. */
  private void ask(Registration registration) throws IOException {
    SimulatedClient dead = cluster.client("asked " + registration.id());
    FaultPlan unused =
        dead.faults()
            .once(
                op -> op.write() && op.summary().contains(" setOmap") && op.number() > 1,
                Fault.CRASH_AFTER);
    Transactions others = SimulatedMount.of(dead, Duration.ZERO).transactions();
    assertThatThrownBy(() -> others.takeOverwriteLock(registration, Set.of()))
        .isInstanceOf(ClientCrashed.class);
    assertThat(locks.holder(registration.coordinator()).flatMap(LockHolder::asking)).isPresent();
  }

  @Test
  void aLockThatIsFreeCostsALookAtEachDirectoryAbove() throws IOException {
    int before = client.ops();
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    // A look, asked for it, at "a/t/", "a/" and "/", held.
    assertThat(client.ops() - before).isEqualTo(6);
    assertThat(locks.holder(BELOW)).contains(LockHolder.holding("lower"));
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isFalse();
    assertThat(client.ops() - before).isEqualTo(7);
    int unguarded = client.ops();
    assertThat(mount.namespace().list(BELOW)).hasSize(1);
    int guarded = client.ops();
    list(LOWER);
    assertThat(client.ops() - guarded).isEqualTo(guarded - unguarded);
  }

  @Test
  void whoeverIsBelowGivesWay() throws IOException {
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    assertThatThrownBy(() -> transactions.takeOverwriteLock(LOWER, Set.of()))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/t, which transaction lower in /a/t/p waits for,")
        .hasMessageContaining("upper");
    assertThat(locks.holder(BELOW)).as("what it had asked for").isEmpty();
    list(UPPER);
    assertThat(transactions.abort(UPPER)).isEqualTo(Transactions.State.ABORTED);
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(locks.holder(BELOW)).contains(LockHolder.holding("lower"));
  }

  @Test
  void whoeverIsAboveWaitsForWhatItLists() throws IOException {
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    assertThatThrownBy(() -> list(UPPER))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/t/p, which transaction upper in /a/t waits for,");
    mount.namespace().list(BELOW); // by others, who replace nothing
    assertThat(transactions.abort(LOWER)).isEqualTo(Transactions.State.ABORTED);
    list(UPPER);
  }

  @Test
  void alsoWhereTheOneBelowHasOnlyAsked() throws IOException {
    ask(LOWER);
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    assertThatThrownBy(() -> list(UPPER)).isInstanceOf(TransactionConflictException.class);
  }

  @Test
  void andTheOneBelowForOneAboveThatHasOnlyAsked() throws IOException {
    ask(UPPER);
    assertThatThrownBy(() -> transactions.takeOverwriteLock(LOWER, Set.of()))
        .isInstanceOf(TransactionConflictException.class);
    assertThat(locks.holder(BELOW)).isEmpty();
  }

  @Test
  void anotherDriverTakesOverWhatWasAskedFor() throws IOException {
    ask(LOWER);
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(locks.holder(BELOW)).contains(LockHolder.holding("lower"));
  }

  @Test
  void whatWasAskedForIsReleasedToo() throws IOException {
    ask(LOWER);
    assertThat(transactions.abort(LOWER)).isEqualTo(Transactions.State.ABORTED);
    transactions.releaseOverwriteLock(LOWER, Set.of());
    assertThat(locks.holder(BELOW)).isEmpty();
  }

  /** What is listed is further below: the one that is between may add to it. */
  @Test
  void whoeverIsAboveWaitsForWhoeverIsBetween() throws IOException {
    mount.write("/a/t/p/q/r/f", "f");
    FsPath deep = new FsPath("a/t/p/q/r");
    int before = client.ops();
    OverwriteGuard free = transactions.overwriteGuard(UPPER, Set.of());
    ListingGuard unused = free.before(deep);
    // At "a/t/p/" and "a/t/p/q/".
    assertThat(client.ops() - before).isEqualTo(2);
    unused = free.before(deep);
    assertThat(client.ops() - before).isEqualTo(2);
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    OverwriteGuard guard = transactions.overwriteGuard(UPPER, Set.of());
    assertThatThrownBy(() -> guard.before(deep))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/t/p, which transaction upper in /a/t waits for,");
    assertThatThrownBy(() -> guard.before(deep)).isInstanceOf(TransactionConflictException.class);
    assertThat(guard.before(new FsPath("b/p"))).as("elsewhere").isSameAs(ListingGuard.NONE);
    assertThat(transactions.abort(LOWER)).isEqualTo(Transactions.State.ABORTED);
    unused = guard.before(deep);
  }

  /** Its job can never commit: nobody waits for that. */
  @Test
  void aDirectoryThatIsBeingRemovedIsNotLocked() throws IOException {
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    SimulatedClient dead = cluster.client("removing");
    FaultPlan unused =
        dead.faults().once(op -> head(BELOW).contains(" closing "), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> SimulatedMount.of(dead).namespace().delete(BELOW, true))
        .isInstanceOf(ClientCrashed.class);
    assertThat(locks.holder(BELOW)).contains(LockHolder.holding("lower"));
    assertThat(
            mount
                .namespace()
                .list(BELOW, transactions.overwriteGuard(UPPER, Set.of()).before(BELOW)))
        .isEmpty();
    assertThat(transactions.overwriteGuard(UPPER, Set.of()).before(BELOW.child("q"))).isNotNull();
  }

  /** Else the two would wait for each other. */
  @Test
  void whatWasAskedForIsTakenBackAlsoWhereTheDirectoryIsChangedMeanwhile() throws IOException {
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    SimulatedClient asking = cluster.client("asking");
    SimulatedMount other = SimulatedMount.of(asking, Duration.ZERO);
    FaultPlan.Interlude split =
        op -> {
          for (int i = 0; i < 8; i++) {
            SimulatedMount.of(cluster.client("splitting"), new Sharding(4, 2))
                .write("/a/t/p/f" + i, "f");
          }
        };
    // It has looked, and asked, and looks at "a/t/".
    AtomicBoolean done = asking.faults().before(new TreeMap<>(Map.of(3, split)));
    assertThatThrownBy(() -> other.transactions().takeOverwriteLock(LOWER, Set.of()))
        .isInstanceOf(TransactionConflictException.class);
    assertThat(done).isTrue();
    assertThat(head(BELOW)).contains("shards=2/");
    assertThat(locks.holder(BELOW)).isEmpty();
  }

  /** It has looked above when it was of no effect any more. */
  @Test
  void whoeverHasAskedBeforeOthersDidLooksAgain() throws IOException {
    SimulatedClient slow = cluster.client("slow");
    SimulatedMount other = SimulatedMount.of(slow, Duration.ZERO);
    FaultPlan.Interlude meanwhile =
        op -> {
          assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
          assertThatThrownBy(() -> transactions.takeOverwriteLock(LOWER, Set.of()))
              .isInstanceOf(TransactionConflictException.class);
          list(UPPER);
          ask(LOWER);
        };
    // It has looked, asked, and looked at "a/t/", "a/" and "/".
    AtomicBoolean done = slow.faults().before(new TreeMap<>(Map.of(6, meanwhile)));
    assertThatThrownBy(() -> other.transactions().takeOverwriteLock(LOWER, Set.of()))
        .isInstanceOf(TransactionConflictException.class);
    assertThat(done).isTrue();
    assertThat(locks.holder(BELOW)).isEmpty();
  }

  /** Its job is decided in the directory above, and replaces nothing else there. */
  @Test
  void whereTheDestinationWasAFileNobodyBesideItWaits() throws IOException {
    Registration ofFile =
        new Registration("of a file", ABOVE, ObjectNames.job(ABOVE.child("report"), "of a file"));
    transactions.register(ofFile);
    assertThat(transactions.takeOverwriteLock(ofFile, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(locks.holder(BELOW)).contains(LockHolder.holding("lower"));
    list(ofFile);
    assertThatThrownBy(() -> transactions.takeOverwriteLock(UPPER, Set.of()))
        .isInstanceOf(TransactionConflictException.class);
  }

  /** The one below commits between the listing and the look at how it ended. */
  @Test
  void aListingOfAnInstantBeforeADecisionIsNotTaken() throws IOException {
    assertThat(transactions.takeOverwriteLock(LOWER, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(UPPER, Set.of())).isTrue();
    SimulatedClient lister = cluster.client("lister");
    SimulatedMount others = SimulatedMount.of(lister, Duration.ZERO);
    Namespace.Child file = mount.namespace().list(BELOW).get(0);
    DirectoryChange adding = DirectoryChange.adding(Map.of("added", (Entry.OfFile) file.entry()));
    FaultPlan.Interlude commit =
        op -> {
          Committed unused = transactions.commit(LOWER, Map.of(BELOW, adding), Set.of());
        };
    AtomicBoolean done = lister.faults().before(new TreeMap<>(Map.of(2, commit)));
    assertThat(
            others
                .namespace()
                .list(BELOW, others.transactions().overwriteGuard(UPPER, Set.of()).before(BELOW)))
        .extracting(child -> child.path().name())
        .containsExactly("added", "f");
    assertThat(done).isTrue();
  }
}
