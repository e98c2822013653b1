// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The removal of an index object fails in a way that leaves its outcome open, and so does the look
 * that would tell: what leads to the object stays, until it is known to be gone.
 */
class UntoldRemovalTest {

  private static final Fault OPEN = Fault.failWith(Kind.OTHER);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient client = cluster.client("a");

  /** Strikes the first removal of such an object, and the read that comes next. */
  private void removalIsUntold(Predicate<String> objects) {
    Predicate<OpInfo> removal =
        op -> op.write() && objects.test(op.object()) && op.summary().endsWith("remove");
    boolean[] struck = new boolean[1];
    FaultPlan unused =
        client
            .faults()
            .once(op -> struck[0] |= removal.test(op), OPEN)
            .once(op -> struck[0] && !op.write(), OPEN);
  }

  private void checkNothingLeaks() throws IOException {
    assertThat(client.faults().struck()).hasSize(2);
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  @Test
  void aClosingShard() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(2, 2));
    for (int i = 0; i < 8; i++) {
      mount.write("/d/f" + i, "f");
    }
    assertThat(mount.shards("/d")).isEqualTo(2);
    removalIsUntold(object -> object.startsWith("d//shard/"));
    assertThat(mount.namespace().delete(FsPath.parse("/d"), true)).isTrue();
    checkNothingLeaks();
    assertThat(cluster.objects(SimulatedMount.POOL, "").keySet())
        .noneMatch(object -> object.startsWith("d/"));
  }

  /** Of a split that does not begin, as others have changed the directory. */
  @Test
  void aShardMadeInVain() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(2, 2));
    mount.write("/d/f0", "f");
    boolean[] made = new boolean[1];
    FaultPlan unused =
        client
            .faults()
            .once(
                op -> {
                  boolean next = made[0] && op.write() && op.object().equals("d/");
                  made[0] |= op.object().startsWith("d//shard/");
                  return next;
                },
                Fault.failWith(Kind.GUARD_FAILED));
    removalIsUntold(object -> object.startsWith("d//shard/"));
    for (int i = 1; i < 8; i++) {
      mount.write("/d/f" + i, "f");
    }
    assertThat(client.faults().struck()).hasSize(3);
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
    assertThat(mount.shards("/d")).isEqualTo(2);
  }
}
