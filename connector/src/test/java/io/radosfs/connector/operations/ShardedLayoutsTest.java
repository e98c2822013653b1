// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The layout of a directory with shards counts for what is made in each of them. {@code b} is in
 * one shard, {@code e} in the other.
 */
@Execution(ExecutionMode.CONCURRENT)
class ShardedLayoutsTest {

  private static final DataLayout LARGE = DataLayout.DEFAULT.withObjectSize(Optional.of(16));
  private static final DataLayout LARGER = DataLayout.DEFAULT.withObjectSize(Optional.of(32));
  private static final List<String> IN_BOTH = List.of("b", "e");

  private static final int MOST_INTERLEAVINGS = 2_000;

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
    stopAnywhereThenChangeTo(LARGER);
  }

  /** What the head has is not what each shard has, once a change has stopped half-way. */
  @Test
  void aChangeThatStoppedAnywhereIsTakenBack() {
    stopAnywhereThenChangeTo(LARGE);
  }

  private static void stopAnywhereThenChangeTo(DataLayout layout) {
    Experiment experiment =
        Experiment.named("change of the layout of a directory with shards, then to " + layout)
            .setUp(client -> sharded(mount(client)))
            .program("a", changingTo(LARGER))
            .recover(changingTo(layout))
            .check(
                trial -> {
                  PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
                  isOf(mount(trial.observer()), "/d", layout);
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  private static Experiment.Action changingTo(DataLayout layout) {
    return client -> change(client, layout);
  }

  private static void change(SimulatedClient client, DataLayout layout) throws IOException {
    DataLayout unused = mount(client).layouts().change(path("/d"), before -> layout);
  }

  @Test
  void allShardsHaveTheLayoutOfTheHeadAfterTwoChanges() {
    Experiment experiment =
        Experiment.named("two changes of the layout of a directory with shards")
            .setUpOnce(client -> sharded(mount(client)))
            .program("a", changingTo(LARGER))
            .program("b", changingTo(LARGE))
            .check(
                trial -> {
                  SimulatedMount mount = mount(trial.observer());
                  isOf(mount, "/d", mount.layouts().of(path("/d")));
                });
    assertThat(experiment.everyInsertion().complete()).isTrue();
    assertThat(experiment.everyInterleaving(MOST_INTERLEAVINGS, 3).complete()).isTrue();
  }

  @Test
  void aChangeThatFailsHalfWaySaysSo() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    sharded(mount(cluster.client("a")));
    SimulatedClient denied = cluster.client("b");
    FaultPlan unused =
        denied
            .faults()
            .once(op -> op.write() && op.object().endsWith("/0001"), Fault.failWith(Kind.OTHER));
    assertThatThrownBy(() -> mount(denied).layouts().change(path("/d"), before -> LARGER))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining(
            "the layout of /d is changed for the names in 1 of its shards only: set it again");
  }

  /** The shard has it already, and others set all of them back before the client looks. */
  @Test
  void aChangeOfAShardThatOthersSetBackIsNotMadeAgain() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    sharded(mount(cluster.client("a")));
    SimulatedClient client = cluster.client("b");
    boolean[] lost = new boolean[1];
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (lost[0]) {
                    lost[0] = false;
                    change(cluster.client("c"), LARGE);
                  }
                })
            .once(
                op -> {
                  lost[0] = op.write() && op.object().endsWith("/0001");
                  return lost[0];
                },
                Fault.LOSE_ANSWER);
    assertThatThrownBy(() -> change(client, LARGER)).isInstanceOf(OutcomeUnknownException.class);
    isOf(mount(cluster.client("a")), "/d", LARGE);
  }
}
