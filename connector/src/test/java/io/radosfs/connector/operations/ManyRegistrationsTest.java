// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Renames into a directory in which more jobs are registered than are read at a time: what they
 * have left there is found all the same, and counts.
 */
@Execution(ExecutionMode.CONCURRENT)
class ManyRegistrationsTest {

  private static final FsPath TO = new FsPath("to");

  /** Ends with {@link ReadOp#MAX_RANGE}, so that what comes after is on the next page. */
  private static void registerJobs(SimulatedMount mount, FsPath directory) throws IOException {
    Map<String, byte[]> keys = new HashMap<>();
    for (int i = 0; i < ReadOp.MAX_RANGE; i++) {
      // Before all ids of renames, which are hexadecimal.
      String id = String.format("!%05d", i);
      TransactionStatus left =
          new TransactionStatus(TransactionStatus.State.ABORTED, ObjectNames.job(directory, id));
      keys.put(IndexKeys.transactionStatus(id), left.encode());
    }
    mount
        .store()
        .write(
            ObjectNames.index(directory), WriteOp.builder().assertExists().setOmap(keys).build());
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/from/tree/below/f", "content");
    mount.mkdirs("/to");
    mount.write("/to/other", "other");
    registerJobs(mount, TO);
  }

  private static void rename(SimulatedClient client) throws IOException {
    SimulatedMount.of(client)
        .namespace()
        .rename(FsPath.parse("/from/tree"), FsPath.parse("/to/tree"), false);
  }

  private static SortedMap<String, String> tree(Trial trial) throws IOException {
    return SimulatedMount.of(trial.observer()).tree();
  }

  private static void checkPool(Trial trial) throws IOException {
    SortedMap<String, String> tree = tree(trial);
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    assertThat(tree.containsKey("/from/tree/below/f") && tree.containsKey("/to/tree/below/f"))
        .isFalse();
  }

  /**
   * The directory is removed after a rename into it that stopped anywhere: what was renamed has
   * gone with it, or is where it was. It does not come back.
   */
  @Test
  void whatWasRenamedIntoADirectoryGoesWithIt() {
    Experiment experiment =
        Experiment.named("rename into a directory with many jobs, then remove that")
            .setUp(ManyRegistrationsTest::setUp)
            .program("client", ManyRegistrationsTest::rename)
            .writesOnly()
            .checkBeforeRecovery(ManyRegistrationsTest::checkPool)
            .recover(ManyRegistrationsTest::remove)
            .check(
                trial -> {
                  checkPool(trial);
                  SortedMap<String, String> tree = tree(trial);
                  assertThat(tree).doesNotContainKeys("/to/", "/to/tree/below/f");
                  boolean renamed = !tree.containsKey("/from/tree/below/f");
                  assertThat(renamed || !trial.outcome("client").succeeded()).isTrue();
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** Remembers nothing: whoever comes by. */
  private static void remove(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    boolean wasThere = mount.namespace().lookup(FsPath.parse("/to/tree")).isPresent();
    if (!mount.namespace().delete(TO, true)) {
      return; // removed by a recovery before
    }
    assertThat(mount.namespace().lookup(FsPath.parse("/from/tree")).isPresent())
        .as("what was renamed is where it was")
        .isEqualTo(!wasThere);
  }

  /** The directory has four files, in two shards. */
  private static SimulatedMount withShards(SimulatedCluster cluster) throws IOException {
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"), new Sharding(2, 2));
    for (int i = 0; i < 4; i++) {
      mount.write("/to/f" + i, "f");
    }
    assertThat(mount.shards("/to")).isEqualTo(2);
    return mount;
  }

  /** Whoever removes a directory with shards whole ends the renames into it that are not done. */
  @Test
  void aRenameThatIsNotFinishedIsEndedWhereADirectoryWithShardsGoes() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = withShards(cluster);
    registerJobs(mount, TO);
    String owner = OwnTransactions.RENAME + "from/tree//to/tree";
    mount.transactions().register(new Registration(Uid.random().value(), TO, owner));
    Uid uid = ((Entry.OfDirectory) mount.namespace().lookup(TO).orElseThrow()).uid();
    mount.wiring().removals().remove(TO, uid, false);
    assertThat(mount.tree()).isEmpty();
  }

  /** Renames into it are those of living clients, and nothing is to be deleted. */
  @Test
  void aDeletionThatIsRefusedEndsNoRenameIntoADirectoryWithShards() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = withShards(cluster);
    Registration rename =
        new Registration(Uid.random().value(), TO, OwnTransactions.RENAME + "from/tree//to/tree");
    mount.transactions().register(rename);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    assertThatThrownBy(() -> other.namespace().delete(TO, false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(mount.transactions().state(rename)).contains(Transactions.State.PENDING);
  }

  /** A read for each 1,024, and nothing more where there are few. */
  @Test
  void fewRegistrationsCostOneRead() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    setUp(cluster.client("setup"));
    SimulatedClient client = cluster.client("client");
    SimulatedMount mount = SimulatedMount.of(client);
    int before = client.ops();
    assertThat(mount.transactions().registered(TO, Failures.END)).hasSize(ReadOp.MAX_RANGE);
    assertThat(client.ops() - before).isEqualTo(1);
    mount.transactions().register(new Registration("one-more", TO, "to//job/one-more"));
    before = client.ops();
    assertThat(mount.transactions().registered(TO, Failures.END)).hasSize(ReadOp.MAX_RANGE + 1);
    assertThat(client.ops() - before).isEqualTo(2);
  }

  /** Its driver resolves it in general; a sweep does what is left of that. */
  @Test
  void aSweepResolvesWhatIsDecidedBehindManyThatArePending() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"));
    mount.write("/from/f", "content");
    mount.write("/to/other", "other");
    Map<String, byte[]> marks = new HashMap<>();
    Map<String, byte[]> statuses = new HashMap<>();
    for (int i = 0; i <= ReadOp.MAX_RANGE; i++) {
      String id = String.format("!%05d", i);
      TransactionStatus.State state =
          i < ReadOp.MAX_RANGE
              ? TransactionStatus.State.PENDING
              : TransactionStatus.State.COMMITTED;
      marks.put(IndexKeys.transaction(id), TransactionMark.keeping(TO).encode());
      statuses.put(
          IndexKeys.transactionStatus(id),
          new TransactionStatus(state, ObjectNames.job(TO, id)).encode());
    }
    mount.store().write("from/", WriteOp.builder().assertExists().setOmap(marks).build());
    mount.store().write("to/", WriteOp.builder().assertExists().setOmap(statuses).build());
    mount.sweep();
    marks.remove(IndexKeys.transaction(String.format("!%05d", ReadOp.MAX_RANGE)));
    assertThat(cluster.objects(SimulatedMount.POOL, "").get("from/").omap().keySet())
        .filteredOn(key -> key.startsWith(IndexKeys.TRANSACTION_PREFIX))
        .containsExactlyInAnyOrderElementsOf(marks.keySet());
  }
}
