// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A call on a large tree takes longer than it may wait for others. Its own work costs none of that
 * wait: a job that it meets at last, and that is about to decide, is waited for.
 */
@Execution(ExecutionMode.CONCURRENT)
class WaitOfALongCallTest {

  private static final FsPath FROM = new FsPath("from");
  private static final FsPath TO = new FsPath("to");
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final String FORGOTTEN = String.format("%024x", 1);
  private static final String JOB = String.format("%024x", 2);

  /** How often the call asks for a status until the job decides: once for the forgotten one. */
  private static final int ASKED = 4;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private interface Change {
    void of(SimulatedMount mount) throws IOException;
  }

  private static void mark(SimulatedMount mount, String index, String id) throws IOException {
    mount
        .store()
        .write(
            index,
            WriteOp.builder()
                .assertExists()
                .setOmap(Map.of(IndexKeys.transaction(id), TransactionMark.keeping(TO).encode()))
                .build());
  }

  private static void tell(SimulatedMount mount, TransactionStatus.State state) throws IOException {
    byte[] status = new TransactionStatus(state, ObjectNames.job(TO, "job")).encode();
    mount
        .store()
        .write(
            "to/",
            WriteOp.builder()
                .assertExists()
                .setOmap(Map.of(IndexKeys.transactionStatus(JOB), status))
                .build());
  }

  /** Beside the first directory others have left something; a job is at work in the last one. */
  private void waitsForTheJob(Change change) throws IOException {
    SimulatedMount others = SimulatedMount.of(cluster.client("others"));
    others.write("/to/other", "other");
    for (int i = 0; i < 3; i++) {
      others.write("/from/d" + i + "/f", "f");
    }
    mark(others, "from/d0/", FORGOTTEN);
    mark(others, "from/d2/", JOB);
    tell(others, TransactionStatus.State.PENDING);

    SimulatedClient client = cluster.client("client");
    SimulatedMount mount = SimulatedMount.of(client, WAIT);
    AtomicBoolean worked = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (op.object().equals("from/d1/") && worked.compareAndSet(false, true)) {
                    client.retries().pauses().pause(WAIT.multipliedBy(2));
                  } else if (op.object().equals("to/") && asked.incrementAndGet() == ASKED) {
                    tell(others, TransactionStatus.State.ABORTED);
                  }
                });
    change.of(mount);
    assertThat(worked).isTrue();
    assertThat(asked.get()).isGreaterThanOrEqualTo(ASKED);
    assertThat(SimulatedMount.of(cluster.client("reader")).tree()).doesNotContainKey("/from/");
  }

  @Test
  void whereATreeIsDeleted() throws IOException {
    waitsForTheJob(mount -> assertThat(mount.namespace().delete(FROM, true)).isTrue());
  }

  @Test
  void whereATreeIsMoved() throws IOException {
    waitsForTheJob(mount -> mount.namespace().rename(FROM, new FsPath("moved"), false));
  }
}
