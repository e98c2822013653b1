// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What a deletion has left below a directory that is to be moved or replaced whole, or at the
 * directory itself. Nobody waits for it, least of all for oneself.
 */
@Execution(ExecutionMode.CONCURRENT)
class LeftDeletionsTest {

  private static final FsPath TO = new FsPath("to");
  private static final FsPath MOVED = new FsPath("moved");
  private static final FsPath FAR = new FsPath("far/moved");
  private static final Registration ABOVE =
      new Registration("above", FsPath.ROOT, ObjectNames.job(FsPath.ROOT, "above"));

  private static final int MANY = 201;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** What another client then does. */
  private interface Then {
    void run(SimulatedMount mount) throws IOException;
  }

  private static void setUp(SimulatedMount mount) throws IOException {
    mount.write("/to/tree/below/f", "content");
    mount.write("/to/tree/g", "content");
    mount.write("/to/other", "other");
    mount.mkdirs("/far");
  }

  private static Experiment deletion(String deleted, Then then) {
    return Experiment.named("deletion of " + deleted + ", then of what is above")
        .setUp(client -> setUp(SimulatedMount.of(client)))
        .program(
            "client",
            client -> SimulatedMount.of(client).namespace().delete(new FsPath(deleted), true))
        .writesOnly()
        .recover(client -> withoutWaiting(client, then));
  }

  private static void withoutWaiting(SimulatedClient client, Then then) throws IOException {
    long before = client.waited();
    then.run(SimulatedMount.of(client, LONGEST_WAIT));
    assertThat(client.waited() - before).isLessThan(LONGEST_WAIT.toNanos() / 10);
  }

  private static boolean isThere(SimulatedMount mount, FsPath path) throws IOException {
    return mount.namespace().lookup(path).isPresent();
  }

  private static SortedMap<String, String> checked(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    return SimulatedMount.of(trial.observer()).tree();
  }

  private static void replace(SimulatedMount mount) throws IOException {
    mount.transactions().register(ABOVE);
    assertThat(mount.transactions().commit(ABOVE, Map.of(), Set.of(TO)).isResolved()).isTrue();
    mount.transactions().forget(ABOVE);
  }

  @Test
  void theDirectoryAboveIsReplaced() {
    Experiment experiment =
        deletion("to/tree", LeftDeletionsTest::replace)
            .check(trial -> assertThat(checked(trial)).containsOnlyKeys("/far/"));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  private static void isMoved(FsPath destination) {
    Experiment experiment =
        deletion("to/tree", mount -> mount.namespace().rename(TO, destination, false))
            .check(
                trial -> {
                  SortedMap<String, String> tree = checked(trial);
                  assertThat(tree)
                      .containsEntry(destination + "/other", "other")
                      .doesNotContainKey("/to/");
                  if (trial.outcome("client").succeeded()) {
                    assertThat(tree).doesNotContainKey(destination + "/tree/");
                  }
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void theDirectoryAboveIsMoved() {
    isMoved(MOVED);
  }

  @Test
  void theDirectoryAboveIsMovedIntoAnother() {
    isMoved(FAR);
  }

  /**
   * More than a rename has tries: it ends them all at once, and does not lock the tree for each.
   */
  @Test
  void aTreeWithManyIsMoved() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount user = SimulatedMount.of(cluster.client("user"));
    setUp(user);
    for (int k = 0; k < MANY; k++) {
      String directory = "to/d" + k;
      user.write("/" + directory + "/f", "f");
      SimulatedClient dying = cluster.client("deletes " + k);
      FaultPlan unused =
          dying
              .faults()
              .once(op -> op.write() && op.object().equals(directory + "/"), Fault.CRASH_AFTER);
      assertThatThrownBy(
              () -> SimulatedMount.of(dying).namespace().delete(new FsPath(directory), true))
          .isInstanceOf(ClientCrashed.class);
    }
    SimulatedClient client = cluster.client("renames");
    int[] locks = new int[1];
    client
        .faults()
        .before(
            op -> {
              if (op.object().equals("to/") && op.summary().matches(".*setOmap\\(.* t/.*")) {
                locks[0]++;
              }
            });
    SimulatedMount.of(client).namespace().rename(TO, FAR, false);
    assertThat(locks[0]).isEqualTo(2);
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsEntry("/far/moved/other", "other")
        .doesNotContainKeys("/to/", "/far/moved/d0/", "/far/moved/d" + (MANY - 1) + "/");
  }

  /** The one that is moved holds its own name. */
  @Test
  void theDirectoryItselfIsMovedIntoAnother() {
    Experiment experiment =
        deletion(
                "to",
                mount -> {
                  if (isThere(mount, TO)) {
                    try {
                      mount.namespace().rename(TO, FAR, false);
                    } catch (java.io.FileNotFoundException e) {
                      assertThat(isThere(mount, TO)).isFalse();
                    }
                  }
                })
            .check(
                trial -> {
                  SortedMap<String, String> tree = checked(trial);
                  assertThat(tree).doesNotContainKey("/to/");
                  if (trial.outcome("client").succeeded()) {
                    assertThat(tree).containsOnlyKeys("/far/");
                  }
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** With shards it is removed by a transaction, which locks all below it. */
  @Test
  void theDirectoryAboveHasShardsAndIsDeleted() {
    Sharding sharding = new Sharding(2, 2);
    Experiment experiment =
        Experiment.named("deletion below a directory with shards, then of that")
            .setUp(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client, sharding);
                  for (int k = 0; k < 4; k++) {
                    mount.write("/to/f" + k, "f");
                  }
                  mount.write("/to/tree/g", "g");
                  assertThat(mount.shards("/to")).isEqualTo(2);
                })
            .program(
                "client",
                client -> SimulatedMount.of(client).namespace().delete(new FsPath("to/tree"), true))
            .writesOnly()
            .recover(client -> withoutWaiting(client, mount -> mount.namespace().delete(TO, true)))
            .check(trial -> assertThat(checked(trial)).isEmpty());
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** A living deletion goes on when the other one has ended. */
  @Test
  void bothAtOnce() {
    Experiment race =
        Experiment.named("deletion of a directory, and a rename of the one above")
            .setUp(client -> setUp(SimulatedMount.of(client)))
            .program(
                "a",
                client -> SimulatedMount.of(client).namespace().delete(new FsPath("to/tree"), true))
            .program("b", client -> SimulatedMount.of(client).namespace().rename(TO, FAR, false))
            .recover(client -> SimulatedMount.of(client).sweep())
            .check(
                trial -> {
                  SortedMap<String, String> tree = checked(trial);
                  assertThat(tree).doesNotContainKey("/to/tree/below/");
                  if (trial.outcome("a").succeeded() && trial.outcome("b").succeeded()) {
                    assertThat(tree).containsEntry("/far/moved/other", "other");
                  }
                });
    race.everyInsertion();
    race.randomInterleavings(1_483_000_001, 300);
  }
}
