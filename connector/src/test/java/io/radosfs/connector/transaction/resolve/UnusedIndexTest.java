// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An index that an aborted transaction has made goes, whatever else is done to it meanwhile. */
class UnusedIndexTest {

  private static final FsPath OUT = new FsPath("out");
  private static final FsPath NEW = new FsPath("out/p=2");
  private static final String INDEX = ObjectNames.index(NEW);
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  /** Prepares in a new directory, and dies before the decision. */
  private static void prepare(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.mkdirs("/out");
    mount.ledger().close();
    mount.transactions().register(JOB);
    FileData data =
        new FileData(NEW.child("new"), Uid.random(), false, 0, 1 << 20, Optional.empty());
    Map<FsPath, DirectoryChange> changes =
        Map.of(
            NEW,
            DirectoryChange.adding(
                Map.of("new", new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES))));
    client
        .faults()
        .once(op -> op.object().equals(ObjectNames.index(OUT)) && op.write(), Fault.CRASH_BEFORE);
    try {
      var unused =
          mount.transactions().commit(JOB, TransactionChanges.of(changes), Set.of(), false);
    } catch (ClientCrashed e) {
      return;
    }
    throw new AssertionError("it has decided");
  }

  /** As a collector does that keeps a late process from publishing a file there. */
  private static void fence(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    try {
      mount
          .store()
          .write(
              INDEX,
              WriteOp.builder()
                  .assertExists()
                  .setOmap(IndexKeys.CHANGE, Uid.random().value().getBytes(StandardCharsets.UTF_8))
                  .build());
    } catch (StoreException e) {
      assertThat(e.is(Kind.NOT_FOUND)).isTrue();
    }
  }

  /** Found by the explorer. */
  @Test
  void goesThoughAnotherClientHasFencedIt() {
    Experiment.named("end of an aborted transaction while the index that it made is fenced")
        .setUp(UnusedIndexTest::prepare)
        .program(
            "end",
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              var unused = mount.transactions().abort(JOB);
              mount.transactions().resolve(JOB, Set.of(NEW));
              mount.transactions().forget(JOB);
            })
        .program("collector", UnusedIndexTest::fence)
        .check(
            trial -> {
              assertThat(trial.cluster().objects(SimulatedMount.POOL, "")).doesNotContainKey(INDEX);
              PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
            })
        .everyInsertion();
  }
}
