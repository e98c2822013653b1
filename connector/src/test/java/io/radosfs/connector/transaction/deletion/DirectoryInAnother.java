// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.SortedMap;

/** What tests share in which a directory is removed, replaced or locked: one in another one. */
abstract class DirectoryInAnother {

  private static final Sharding SHARDING = new Sharding(1, 2);

  static final FsPath UP = new FsPath("up");
  static final FsPath TO = new FsPath("up/to");

  final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  final SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  final SimulatedMount sharding(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client), SHARDING);
  }

  final SortedMap<String, ObjectView> objects() {
    return cluster.objects(SimulatedMount.POOL, "");
  }

  final boolean holds(String index, String prefix) {
    return objects().get(index).omap().keySet().stream().anyMatch(key -> key.startsWith(prefix));
  }

  /** A directory with shards, in one that has none. */
  final void setUpSharded() throws IOException {
    SimulatedMount user = sharding("user");
    user.write(TO + "/f", "f");
    user.write(TO + "/g", "g");
    assertThat(user.shards(TO.toString())).isEqualTo(2);
    assertThat(user.shards(UP.toString())).isEqualTo(1);
  }

  /** Whether it decides that {@link #TO} is removed. */
  static boolean decides(OpInfo op) {
    return registers(op) && op.summary().contains("e/to");
  }

  static boolean registers(OpInfo op) {
    return op.write() && op.object().equals("up/") && op.summary().contains("j/");
  }
}
