// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.HookedStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProcessLedgerTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("pool");
  private final SimulatedClient client = cluster.client("process");

  private static FileData file() throws IOException {
    return new FileData(FsPath.ROOT.child("f"), Uid.random(), true, 0, 100, Optional.empty());
  }

  /** Half of its lines were taken for a ledger that is damaged. */
  @Test
  void aLedgerThatIsClosedWhileItIsReadIsMissing() throws IOException {
    ProcessLedger process = new ProcessLedger(client.open("pool", ""), () -> 1);
    List<FsPath> directories = new ArrayList<>();
    for (int i = 0; i < 1_100; i++) {
      directories.add(FsPath.ROOT.child("d" + i));
    }
    List<String> keys = process.beginIndexes(directories);
    String object = process.object();
    AtomicInteger reads = new AtomicInteger();
    ObjectStore hooked =
        HookedStore.of(
            cluster.client("gc").open("pool", ""),
            (write, read) -> {
              if (read.equals(object) && reads.incrementAndGet() == 2) {
                keys.forEach(process::crossOut);
                process.close();
              }
            });
    Ledgers.Ledger seen = new Ledgers(hooked, () -> 2).read(object);
    assertThat(reads.get()).isEqualTo(2);
    assertThat(seen.state()).isEqualTo(Ledgers.State.MISSING);
    assertThat(seen.open()).isEmpty();
  }

  /**
   * A line is added, the answer is lost, and the process is held up until gc has taken the ledger
   * over: gc removes what the line names, so the same file must not be begun in another ledger.
   */
  @Test
  void aLineThatMayBeInALedgerTakenOverIsNotWrittenToTheNext() throws IOException {
    AtomicInteger writes = new AtomicInteger(Integer.MIN_VALUE);
    ObjectStore store = client.open("pool", "");
    Ledgers ledgers = new Ledgers(cluster.client("gc").open("pool", ""), () -> 2);
    ProcessLedger[] process = new ProcessLedger[1];
    ObjectStore hooked =
        HookedStore.of(
            store,
            (write, object) -> {
              if (write && writes.incrementAndGet() == 2) {
                String taken = process[0].object();
                Ledgers.Line line = ledgers.registered(Failures.END).get(0);
                assertThat(ledgers.takeOver(line, ledgers.read(taken))).contains(line);
              }
            });
    process[0] = new ProcessLedger(hooked, () -> 1);
    process[0].begin(file(), 1);
    String first = process[0].object();
    writes.set(0);
    client.faults().atWrite(client.writes() + 1, Fault.LOSE_ANSWER);
    FileData second = file();
    assertThatThrownBy(() -> process[0].begin(second, 1))
        .isInstanceOf(LedgerTakenOverException.class)
        .hasMessageContaining(first);
    assertThat(ledgers.read(first).open()).containsKey(second.uid().value());

    process[0].begin(file(), 1);
    assertThat(process[0].object()).isNotEqualTo(first);
  }
}
