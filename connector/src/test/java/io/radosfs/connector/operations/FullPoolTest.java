// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A pool at its quota: what is there can be deleted and collected, whatever state it is in, by a
 * process that has written nothing down before.
 */
@Execution(ExecutionMode.CONCURRENT)
class FullPoolTest {

  private static final Sharding SMALL = new Sharding(4, 2);

  private static final Map<String, String> FIVE =
      Map.of("/d/", "", "/d/0", "0", "/d/1", "1", "/d/2", "2", "/d/3", "3", "/d/4", "4");

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static void writeFive(SimulatedMount mount) throws IOException {
    for (int i = 0; i < 5; i++) {
      mount.write("/d/" + i, Integer.toString(i));
    }
  }

  private static void full(SimulatedCluster cluster) {
    cluster.setQuota(SimulatedMount.POOL, 1);
  }

  private static void check(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  /** Deletes one by one, then the rest, then collects. */
  private static void makeRoom(SimulatedClient client) throws IOException {
    full(client.cluster());
    SimulatedMount mount = SimulatedMount.of(client, SMALL);
    mount.namespace().delete(path("/d/0"), false);
    assertThat(mount.namespace().deleteAll(List.of(path("/d/1"), path("/d/2")))).isEmpty();
    mount.namespace().delete(path("/d"), true);
    mount.ledger().close();
    mount.collect();
  }

  /** A process dies at each operation of a split, and then there is no room. */
  @Test
  void aSplitUnderWayDoesNotKeepFromDeleting() {
    Experiment experiment =
        Experiment.named("a split, after which there is no room")
            .faults(List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER))
            .setUp(client -> writeFive(SimulatedMount.of(client)))
            .program(
                "a",
                client ->
                    SimulatedMount.of(client, SMALL)
                        .wiring()
                        .splitter()
                        .splitIfLarge(path("/d"), 0))
            .checkBeforeRecovery(
                trial -> {
                  check(trial);
                  assertThat(SimulatedMount.of(trial.observer()).tree()).isEqualTo(FIVE);
                })
            .recover(FullPoolTest::makeRoom)
            .check(
                trial -> {
                  check(trial);
                  assertThat(SimulatedMount.of(trial.observer()).tree()).isEmpty();
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** There is no room from the start: none begins that cannot be paid for. */
  @Test
  void aSplitThatCannotBePaidForDoesNotBegin() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    writeFive(SimulatedMount.of(cluster.client("set-up")));
    full(cluster);
    SimulatedMount mount = SimulatedMount.of(cluster.client("a"), SMALL);
    Throwable failure = catchThrowable(() -> mount.wiring().splitter().splitIfLarge(path("/d"), 0));
    assertThat(failure).isInstanceOf(StoreException.class);
    assertThat(((StoreException) failure).kind()).isEqualTo(StoreException.Kind.NO_SPACE);
    assertThat(mount.shards("/d")).isEqualTo(1);
    assertThat(mount.wiring().indexes().reader().keys(path("/d"), List.of()).isOpen()).isTrue();
    mount.ledger().close();
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  /** An empty directory has no index until it is removed; with shards around it, it is locked. */
  @Test
  void directoriesWithoutAnIndexCanBeDeleted() throws IOException {
    for (Sharding sharding : List.of(SMALL, new Sharding(65_536, 64))) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount before = SimulatedMount.of(cluster.client("set-up"), sharding);
      writeFive(before);
      before.mkdirs("/d/empty/below");
      before.mkdirs("/d/none");
      full(cluster);
      SimulatedMount mount = SimulatedMount.of(cluster.client("a"), sharding);
      mount.namespace().delete(path("/d/none"), false);
      mount.namespace().delete(path("/d"), true);
      mount.ledger().close();
      mount.collect();
      assertThat(mount.tree()).isEmpty();
      PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
    }
  }

  /** Replaced data is listed in objects that are made when there is something to list. */
  @Test
  void replacedDataCanBeCollected() throws IOException {
    Retention kept = new Retention(Duration.ofMillis(100), () -> SimulatedMount.WORKING);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedClient dying = cluster.client("set-up");
    SimulatedMount before = SimulatedMount.of(dying, kept);
    writeFive(before);
    dying.faults().once(op -> op.object().startsWith("//replaced/"), Fault.CRASH_BEFORE);
    assertThat(catchThrowable(() -> before.write("/d/0", "new", true))).isNotNull();
    full(cluster);
    SimulatedMount mount = SimulatedMount.of(cluster.client("a"), kept);
    mount.collect();
    mount.namespace().delete(path("/d"), true);
    mount.ledger().close();
    mount.collectLongAfter();
    mount.collectLongAfter();
    assertThat(mount.tree()).isEmpty();
    assertThat(cluster.objects(SimulatedMount.POOL, "").keySet()).doesNotContain("d/");
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }
}
