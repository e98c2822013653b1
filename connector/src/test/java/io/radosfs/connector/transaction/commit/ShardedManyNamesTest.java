// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Commits of many names to each shard of a directory, which are prepared there under a guard on the
 * whole shard, and applied without being read again.
 */
@Execution(ExecutionMode.CONCURRENT)
class ShardedManyNamesTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB = new Registration("job", OUT, "out//job/job");
  private static final int SHARDS = 2;

  /** So that each shard has more than those that are guarded one by one. */
  private static final int FILES = 3 * SHARDS * IntendedChange.MANY / 2;

  private static SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, new Sharding(1, SHARDS));
  }

  private static Map<FsPath, DirectoryChange> changes() throws IOException {
    Map<String, Entry> files = new HashMap<>();
    for (int i = 0; i < FILES; i++) {
      String name = "part-" + i;
      Uid uid = new Uid(String.format("%024x", i));
      FileData data = new FileData(OUT.child(name), uid, true, 1, 1 << 20, Optional.empty());
      files.put(name, new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES));
    }
    return Map.of(OUT, DirectoryChange.adding(files));
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = mount(client);
    mount.mkdirs("/out/a");
    mount.mkdirs("/out/b");
    assertThat(mount.shards("/out")).isEqualTo(SHARDS);
    mount.transactions().register(JOB);
  }

  private static void commit(SimulatedClient client) throws IOException {
    Transactions transactions = mount(client).transactions();
    transactions.commit(JOB, changes(), Set.of());
    transactions.forget(JOB);
  }

  private static void recover(SimulatedClient client) throws IOException {
    Transactions transactions = mount(client).transactions();
    if (transactions.state(JOB).isPresent()) {
      State unused = transactions.abort(JOB);
      transactions.resolve(JOB, Set.of(OUT));
      transactions.forget(JOB);
    }
  }

  private static int visible(Trial trial, String reader) throws IOException {
    return mount(trial.cluster().client(reader)).wiring().visible().list(OUT).size() - 2;
  }

  private static Experiment experiment(String name) {
    int[] before = new int[1];
    return Experiment.named(name)
        .setUp(ShardedManyNamesTest::setUp)
        .program("driver", ShardedManyNamesTest::commit)
        .recover(ShardedManyNamesTest::recover)
        .checkBeforeRecovery(
            trial -> {
              before[0] = visible(trial, "reader");
              assertThat(before[0]).isIn(0, FILES);
              if (trial.outcome("driver").succeeded()) {
                assertThat(before[0]).isEqualTo(FILES);
              }
            })
        .check(trial -> assertThat(visible(trial, "later reader")).isEqualTo(before[0]));
  }

  @Test
  void atEveryStoppingPointAllOrNoneAreThere() {
    experiment("commit of many names to shards").everyStoppingPoint().requireAtLeast(41);
  }

  @Test
  void twoDriversOfOneJobMeetAnywhere() {
    experiment("commit of many names to shards, and the same by another")
        .program("other", ShardedManyNamesTest::commit)
        .everyInsertion();
  }

  @Test
  void oneThatDiesOnTheWayLeavesTheOtherToFinish() {
    experiment("commit of many names to shards, another dying in it")
        .program("other", ShardedManyNamesTest::commit)
        .everyInsertionOfCrash();
  }

  @Test
  void intentsAreNotReadAgain() throws Exception {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    setUp(cluster.client("setup"));
    SimulatedClient driver = cluster.client("driver");
    SimulatedMount mount = mount(driver);
    int before = driver.ops();
    mount.transactions().commit(JOB, changes(), Set.of());
    // The directory's head: seven reads, and the write that decides. A shard: two reads and a write
    // to prepare, a write to apply without reading what was prepared, and a look at what others
    // left.
    assertThat(driver.ops() - before).as("%s", cluster.log()).isEqualTo(8 + 5 * SHARDS);
  }
}
