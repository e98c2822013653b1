// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A client has died while it split or removed the directory whose overwrite lock a job takes: the
 * job has the lock all the same. Else it would go on without it, and wait for another that
 * overwrites, which waits for it.
 */
class LockOfABusyDirectoryTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB = new Registration("job", OUT, ObjectNames.job(OUT, "job"));

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient dead = cluster.client("dead");

  /** Does something that brings the head into a state, and dies then. */
  private interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  private SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(4, 2));
  }

  private Optional<byte[]> key(String key) {
    return Optional.ofNullable(
        cluster.objects(SimulatedMount.POOL, "").get(ObjectNames.index(OUT)).omap().get(key));
  }

  private IndexHead head() {
    try {
      return IndexHead.decode(ObjectNames.index(OUT), key(IndexKeys.HEAD).orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void takeLockIn(IndexHead.State state, Step step) throws IOException {
    SimulatedMount user = mount(cluster.client("user"));
    user.write("/out/f", "f");
    user.transactions().register(JOB);
    SimulatedMount mount = mount(dead);
    FaultPlan unused = dead.faults().once(op -> head().is(state), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> step.on(mount)).isInstanceOf(ClientCrashed.class);
    assertThat(head().is(state)).isTrue();
    assertThat(user.transactions().takeOverwriteLock(JOB, Set.of())).isTrue();
    assertThat(key(IndexKeys.OVERWRITE_LOCK)).isPresent();
  }

  private static void fill(SimulatedMount mount) throws IOException {
    for (int i = 0; i < 16; i++) {
      mount.write("/out/f" + i, "f");
    }
  }

  @Test
  void whichIsBeingSplit() throws IOException {
    takeLockIn(IndexHead.State.SPLITTING, LockOfABusyDirectoryTest::fill);
  }

  @Test
  void whichIsBeingRemoved() throws IOException {
    takeLockIn(
        IndexHead.State.FROZEN,
        mount -> {
          fill(mount);
          assertThat(mount.shards("/out")).isGreaterThan(1);
          mount.namespace().delete(OUT, true);
        });
  }
}
