// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory is removed while a job commits there to a directory elsewhere, and its driver dies
 * once that is decided. Before each operation of the removal: what is decided is there, though
 * nothing leads to the decision any more.
 */
class DecidedMeanwhileTest {

  private static final FsPath OUT = new FsPath("out");
  private static final FsPath ELSEWHERE = new FsPath("elsewhere");
  private static final Registration JOB = new Registration("job", OUT, ObjectNames.job(OUT, "job"));

  private static Map<FsPath, DirectoryChange> addingElsewhere() throws IOException {
    FsPath path = ELSEWHERE.child("new");
    FileData data = new FileData(path, Uid.random(), false, 3, 8, Optional.empty());
    return Map.of(
        ELSEWHERE,
        DirectoryChange.adding(
            Map.of(path.name(), new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES))));
  }

  private static SimulatedMount mount(SimulatedCluster cluster, String client) throws IOException {
    return SimulatedMount.of(cluster.client(client), new Sharding(2, 2));
  }

  /** Returns whether it has decided, and died then. */
  private static boolean commitAndDie(SimulatedCluster cluster) throws IOException {
    SimulatedClient driver = cluster.client("driver");
    FaultPlan unused =
        driver
            .faults()
            .once(
                op ->
                    op.write()
                        && op.object().equals(ObjectNames.index(OUT))
                        && op.summary()
                            .contains("compareOmap(" + IndexKeys.transactionStatus(JOB.id())),
                Fault.CRASH_AFTER);
    try {
      mount(cluster, "driver").transactions().commit(JOB, addingElsewhere(), Set.of());
    } catch (ClientCrashed e) {
      return true;
    } catch (TransactionAbortedException e) {
      return false; // the directory went first
    }
    throw new AssertionError("the driver has not died");
  }

  /** Returns whether the job was decided; empty if the removal is over before. */
  private static Optional<Boolean> removeBeside(int files, int operation) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount user = mount(cluster, "user");
    for (int i = 0; i < files; i++) {
      user.write("/out/f" + i, "f");
    }
    user.mkdirs("/out/below");
    user.write("/elsewhere/old", "old");
    user.transactions().register(JOB);
    SimulatedClient remover = cluster.client("remover");
    SimulatedMount mount = mount(cluster, "remover");
    boolean[] decided = new boolean[1];
    AtomicBoolean reached =
        remover
            .faults()
            .before(
                new TreeMap<>(
                    Map.of(remover.ops() + operation, op -> decided[0] = commitAndDie(cluster))));
    assertThat(mount.namespace().delete(OUT, true)).isTrue();
    assertThat(user.namespace().lookup(OUT)).isEmpty();
    if (!reached.get()) {
      return Optional.empty();
    }
    assertThat(user.namespace().lookup(ELSEWHERE.child("new")).isPresent())
        .as("what was%s decided before operation %s", decided[0] ? "" : " not", operation)
        .isEqualTo(decided[0]);
    return Optional.of(decided[0]);
  }

  @ParameterizedTest(name = "{0} files")
  @ValueSource(ints = {0, 8})
  void whatIsDecidedElsewhereIsThere(int files) throws IOException {
    Set<Boolean> decided = new HashSet<>();
    Optional<Boolean> last = removeBeside(files, 1);
    for (int operation = 2; last.isPresent(); operation++) {
      decided.add(last.get());
      last = removeBeside(files, operation);
    }
    assertThat(decided).containsExactlyInAnyOrder(true, false);
  }
}
