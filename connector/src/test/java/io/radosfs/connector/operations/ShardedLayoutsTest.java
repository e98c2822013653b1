// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The layout of a directory with shards counts for what is made in each of them. {@code b} is in
 * one shard, {@code e} in the other.
 */
class ShardedLayoutsTest {

  private static final DataLayout LARGE = DataLayout.DEFAULT.withObjectSize(Optional.of(16));
  private static final DataLayout LARGER = DataLayout.DEFAULT.withObjectSize(Optional.of(32));
  private static final List<String> IN_BOTH = List.of("b", "e");

  private static SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(1, 2));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static void sharded(SimulatedMount mount) throws IOException {
    mount.mkdirs("/d");
    assertThat(mount.layouts().change(path("/d"), before -> LARGE)).isEqualTo(LARGE);
    mount.write("/d/a", "a");
    mount.write("/d/c", "c");
    assertThat(mount.shards("/d")).isEqualTo(2);
  }

  private static void isOf(SimulatedMount mount, String directory, DataLayout layout)
      throws IOException {
    assertThat(mount.layouts().of(path(directory))).isEqualTo(layout);
    for (String name : IN_BOTH) {
      assertThat(
              mount
                  .namespace()
                  .create(path(directory + "/" + name), false, false, SimulatedMount.ATTRIBUTES)
                  .layout())
          .isEqualTo(layout);
    }
  }

  @Test
  void everyShardHasTheLayout() throws IOException {
    SimulatedMount mount = mount(SimulatedCluster.withPools("meta").client("a"));
    sharded(mount);
    isOf(mount, "/d", LARGE);
    for (String name : IN_BOTH) {
      mount.mkdirs("/d/made-" + name);
      isOf(mount, "/d/made-" + name, LARGE);
    }
    assertThat(mount.layouts().change(path("/d"), before -> LARGER)).isEqualTo(LARGER);
    isOf(mount, "/d", LARGER);
    mount.namespace().rename(path("/d"), path("/moved"), false);
    isOf(mount, "/moved", LARGER);
    assertThat(mount.layouts().change(path("/moved"), before -> DataLayout.DEFAULT).isDefault())
        .isTrue();
    isOf(mount, "/moved", DataLayout.DEFAULT);
  }

  @Test
  void aChangeThatStoppedAnywhereIsRepeated() {
    Experiment.Action change =
        client -> {
          DataLayout unused = mount(client).layouts().change(path("/d"), before -> LARGER);
        };
    Experiment experiment =
        Experiment.named("change of the layout of a directory with shards")
            .setUp(client -> sharded(mount(client)))
            .program("a", change)
            .recover(change)
            .check(
                trial -> {
                  PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
                  isOf(mount(trial.observer()), "/d", LARGER);
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
