// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Jobs that have the overwrite lock of a directory one after another, each for less than another
 * one waits for it, and all together for longer.
 */
@Execution(ExecutionMode.CONCURRENT)
class SuccessiveLocksTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration WAITING = StoredLocks.job("waiting", OUT);
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Duration COMMIT = Duration.ofSeconds(10);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient client = cluster.client("waiting");
  private SimulatedMount mount;
  private Transactions others;
  private int holders;
  private long since;

  @BeforeEach
  void setUp() throws IOException {
    mount = SimulatedMount.of(client, WAIT);
    mount.write("/out/f", "f");
    mount.transactions().register(WAITING);
    others = SimulatedMount.of(cluster.client("others"), Duration.ZERO).transactions();
    lock();
  }

  private Registration holder() {
    return StoredLocks.job("holder" + holders, OUT);
  }

  private void lock() throws IOException {
    holders++;
    since = client.waited();
    others.register(holder());
    assertThat(others.takeOverwriteLock(holder(), Set.of())).isTrue();
  }

  /** Each is decided after a while, and the next one is faster than whoever waits. */
  private void lockInTurn(int most) {
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (holders <= most && client.waited() - since >= COMMIT.toNanos()) {
                    others.abort(holder());
                    if (holders < most) {
                      lock();
                    } else {
                      holders++;
                    }
                  }
                });
  }

  @Test
  void eachIsWaitedForAnew() throws IOException {
    lockInTurn(12);
    assertThat(mount.transactions().takeOverwriteLock(WAITING, Set.of())).isTrue();
    assertThat(holders).isEqualTo(13);
    assertThat(new StoredLocks(cluster).holder(OUT)).contains(LockHolder.holding("waiting"));
  }

  /** Whoever waits is told so in the end, and can be run at another time. */
  @Test
  void aStreamWithoutEndIsNotWaitedForWithoutEnd() {
    lockInTurn(Integer.MAX_VALUE);
    assertThatThrownBy(() -> mount.transactions().takeOverwriteLock(WAITING, Set.of()))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("after 600000 ms, with those before it (fs.rados.transaction.wait)");
    assertThat(holders).isBetween(50, 70);
  }

  @Test
  void oneThatDoesNotEndIsWaitedForOnce() {
    assertThatThrownBy(() -> mount.transactions().takeOverwriteLock(WAITING, Set.of()))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("after 30000 ms (fs.rados.transaction.wait)");
  }

  /** What it has waited for the others does not count. */
  @Test
  void alsoAfterOthersThatEnd() {
    lockInTurn(Integer.MAX_VALUE);
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (holders == 3) {
                    since = client.waited();
                  }
                });
    assertThatThrownBy(() -> mount.transactions().takeOverwriteLock(WAITING, Set.of()))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("holder3")
        .hasMessageContaining("after 30000 ms (fs.rados.transaction.wait)");
  }
}
