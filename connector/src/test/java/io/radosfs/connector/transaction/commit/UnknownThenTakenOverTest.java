// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Another driver takes a job over, and dies, just before the first one decides it, by an operation
 * that is not answered. The record tells that it has decided nothing and never will, so the first
 * one commits again.
 */
@Execution(ExecutionMode.CONCURRENT)
class UnknownThenTakenOverTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB = new Registration("job", OUT, ObjectNames.job(OUT, "job"));

  private static Entry.OfFile file(FsPath path) {
    Uid uid = new Uid(String.format("%024x", path.key().hashCode() & 0xffffffffL));
    FileData data = new FileData(path, uid, false, 3, 8, Optional.empty());
    return new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES);
  }

  private static void commit(SimulatedMount mount, boolean besideOthers) throws IOException {
    FsPath below = OUT.child("p=1");
    Map<FsPath, DirectoryChange> changes =
        Map.of(
            OUT, DirectoryChange.adding(Map.of("new", file(OUT.child("new")))),
            below, DirectoryChange.adding(Map.of("new", file(below.child("new")))));
    var unused =
        mount.transactions().commit(JOB, TransactionChanges.of(changes), Set.of(), besideOthers);
  }

  private static boolean isDecision(OpInfo op) {
    return op.write()
        && op.object().equals(ObjectNames.index(OUT))
        && op.summary().contains("compareOmap(" + IndexKeys.transactionStatus(JOB.id()));
  }

  private static void commitsAll(Fault fault) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
    setup.write("/out/other", "other");
    setup.transactions().register(JOB);
    SimulatedClient second = cluster.client("second");
    AtomicBoolean takenOver = new AtomicBoolean();
    AtomicBoolean isSecond = new AtomicBoolean();
    var unused =
        second
            .faults()
            // The first such write is the takeover.
            .once(op -> isDecision(op) && isSecond.getAndSet(true), Fault.CRASH_BEFORE);
    SimulatedClient first = cluster.client("first");
    unused =
        first
            .faults()
            .once(
                op -> {
                  if (!isDecision(op) || takenOver.getAndSet(true)) {
                    return false;
                  }
                  assertThatThrownBy(() -> commit(mount(second), true))
                      .isInstanceOf(ClientCrashed.class);
                  return true;
                },
                fault);
    SimulatedMount mount = SimulatedMount.of(first);
    commit(mount, false);
    assertThat(takenOver).isTrue();
    Transactions transactions = mount.transactions();
    assertThat(transactions.state(JOB)).contains(State.COMMITTED);
    assertThat(mount.namespace().lookup(OUT.child("p=1").child("new"))).isPresent();
  }

  private static SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  @Test
  void theDecisionIsLost() throws IOException {
    commitsAll(Fault.LOSE_REQUEST);
  }

  @Test
  void theAnswerOfTheDecisionIsLost() throws IOException {
    commitsAll(Fault.LOSE_ANSWER);
  }
}
