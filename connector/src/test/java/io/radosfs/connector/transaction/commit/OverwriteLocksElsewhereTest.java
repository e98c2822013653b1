// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The overwrite locks of directories that are not below the one where a job is decided. */
class OverwriteLocksElsewhereTest {

  private static final FsPath TABLE = new FsPath("t");
  private static final FsPath LOCATION = new FsPath("a/p");
  private static final FsPath BELOW = new FsPath("a/p/q");
  private static final Registration OF_TABLE = StoredLocks.job("of table", TABLE);
  private static final Registration OF_LOCATION = StoredLocks.job("of location", LOCATION);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient client = cluster.client("user");
  private final StoredLocks locks = new StoredLocks(cluster);
  private SimulatedMount mount;
  private Transactions transactions;

  @BeforeEach
  void setUp() throws IOException {
    mount = SimulatedMount.of(client, Duration.ZERO);
    mount.write("/t/f", "f");
    mount.write("/a/p/q/f", "f");
    transactions = mount.transactions();
    transactions.register(OF_TABLE);
    transactions.register(OF_LOCATION);
  }

  private static LockHolder ofTable() {
    return LockHolder.holding("of table").decidedIn(TABLE);
  }

  private void list(FsPath directory, Registration by, FsPath... elsewhere) throws IOException {
    assertThat(
            mount
                .namespace()
                .list(
                    directory,
                    transactions.overwriteGuard(by, Set.of(elsewhere)).before(directory)))
        .extracting(Namespace.Child::path)
        .containsExactly(directory.child("f"));
  }

  @Test
  void eachCostsOneReadMoreThanThatOfTheCoordinator() throws IOException {
    int before = client.ops();
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of())).isTrue();
    // A look, asked for it, at "/", held.
    assertThat(client.ops() - before).isEqualTo(4);
    before = client.ops();
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
    // That of the table is held. A look, the status, asked for it, at "a/" and "/", held.
    assertThat(client.ops() - before).isEqualTo(1 + 6);
    assertThat(locks.holder(LOCATION)).contains(ofTable());
    before = client.ops();
    transactions.releaseOverwriteLock(OF_TABLE, Set.of(LOCATION));
    assertThat(client.ops() - before).isEqualTo(2);
    assertThat(locks.holder(TABLE)).isEmpty();
    assertThat(locks.holder(LOCATION)).isEmpty();
  }

  @Test
  void whoeverIsDecidedThereWaits() throws IOException {
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
    assertThatThrownBy(() -> transactions.takeOverwriteLock(OF_LOCATION, Set.of()))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/p is being replaced")
        .hasMessageContaining("another transaction, of table of t//job/of table,");
    assertThat(transactions.abort(OF_TABLE)).isEqualTo(Transactions.State.ABORTED);
    assertThat(transactions.takeOverwriteLock(OF_LOCATION, Set.of())).isTrue();
    assertThat(locks.holder(LOCATION)).contains(LockHolder.holding("of location"));
    transactions.releaseOverwriteLock(OF_TABLE, Set.of(LOCATION));
    assertThat(locks.holder(LOCATION)).contains(LockHolder.holding("of location"));
  }

  @Test
  void andIsWaitedFor() throws IOException {
    assertThat(transactions.takeOverwriteLock(OF_LOCATION, Set.of())).isTrue();
    assertThatThrownBy(() -> transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION)))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/p is being replaced");
    assertThat(transactions.abort(OF_LOCATION)).isEqualTo(Transactions.State.ABORTED);
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
  }

  @Test
  void whoeverIsDecidedBelowIsSeenByTheListing() throws IOException {
    Registration below = StoredLocks.job("below", BELOW);
    transactions.register(below);
    assertThat(transactions.takeOverwriteLock(below, Set.of())).isTrue();
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
    assertThatThrownBy(() -> list(BELOW, OF_TABLE, LOCATION))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/p/q, which transaction of table in /t waits for,");
    assertThat(transactions.abort(below)).isEqualTo(Transactions.State.ABORTED);
    list(BELOW, OF_TABLE, LOCATION);
  }

  @Test
  void andThisOneByTheListingOfWhoeverIsDecidedAbove() throws IOException {
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(BELOW))).isTrue();
    assertThat(transactions.takeOverwriteLock(OF_LOCATION, Set.of())).isTrue();
    assertThatThrownBy(() -> list(BELOW, OF_LOCATION))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("of table");
    assertThat(transactions.abort(OF_TABLE)).isEqualTo(Transactions.State.ABORTED);
    list(BELOW, OF_LOCATION);
  }

  @Test
  void twoFromElsewhereMeetThere() throws IOException {
    FsPath other = new FsPath("u");
    mount.write("/u/f", "f");
    // Of the same id: a MapReduce job may have several destinations.
    Registration second = StoredLocks.job("of table", other);
    transactions.register(second);
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
    assertThatThrownBy(() -> transactions.takeOverwriteLock(second, Set.of(LOCATION)))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("t//job/of table");
    assertThatThrownBy(() -> transactions.takeOverwriteLock(second, Set.of(BELOW)))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /a/p, which transaction of table in /u waits for,");
  }

  @Test
  void itDoesNotWaitForItself() throws IOException {
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(BELOW, LOCATION, new FsPath("a"))))
        .isTrue();
    assertThat(locks.holder(BELOW)).contains(ofTable());
    list(BELOW, OF_TABLE, LOCATION);
    list(BELOW, OF_TABLE, LOCATION, BELOW);
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(BELOW, LOCATION))).isFalse();
  }

  /** Another driver of its job may be working under what it has already. */
  @Test
  void itKeepsWhatItHasWhileItWaitsForWhoeverIsAbove() throws IOException {
    Registration above = StoredLocks.job("above", FsPath.ROOT);
    transactions.register(above);
    SimulatedClient waiting = cluster.client("waiting");
    SimulatedMount other = SimulatedMount.of(waiting, Duration.ZERO);
    FaultPlan.Interlude lock =
        op -> assertThat(transactions.takeOverwriteLock(above, Set.of())).isTrue();
    // It has taken that of the table, by four operations.
    AtomicBoolean done = waiting.faults().before(new TreeMap<>(Map.of(5, lock)));
    assertThatThrownBy(() -> other.transactions().takeOverwriteLock(OF_TABLE, Set.of(LOCATION)))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("directory /, which transaction of table in /t waits for,");
    assertThat(done).isTrue();
    assertThat(locks.holder(TABLE)).contains(LockHolder.holding("of table"));
    assertThat(locks.holder(LOCATION)).as("what it had asked for").isEmpty();
    list(LOCATION.child("q"), above);
    assertThatThrownBy(() -> list(TABLE, above)).isInstanceOf(TransactionConflictException.class);
    assertThat(transactions.abort(above)).isEqualTo(Transactions.State.ABORTED);
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isTrue();
    assertThat(locks.holder(LOCATION)).contains(ofTable());
  }

  @Test
  void aDirectoryThatIsMissingIsMade() throws IOException {
    FsPath missing = new FsPath("b/p");
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(missing))).isTrue();
    assertThat(mount.namespace().list(missing)).isEmpty();
    assertThat(locks.holder(missing)).contains(ofTable());
  }

  @Test
  void whatIsDecidedLocksNothingMore() throws IOException {
    assertThat(transactions.abort(OF_TABLE)).isEqualTo(Transactions.State.ABORTED);
    assertThat(transactions.takeOverwriteLock(OF_TABLE, Set.of(LOCATION))).isFalse();
    assertThat(locks.holder(LOCATION)).isEmpty();
  }
}
