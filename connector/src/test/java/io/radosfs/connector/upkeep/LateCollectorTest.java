// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A collector is held up with a ledger, for so long that others have forgotten that. It leaves
 * nothing behind, and touches nothing of a process that has made the ledger again.
 */
@Execution(ExecutionMode.CONCURRENT)
class LateCollectorTest {

  private static final String PROCESS = "0123456789abcdef01234567";
  private static final String LEDGER = ObjectNames.ledger(PROCESS);
  private static final long LATE = 50_000;

  private SimulatedCluster cluster;

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** As a process does before it makes its ledger. */
  private void list() throws IOException {
    mount("process")
        .store()
        .write(
            ObjectNames.LEDGERS,
            WriteOp.builder().createIfMissing().setOmap(PROCESS, bytes(LEDGER)).build());
  }

  private void collectOften(String client) throws IOException {
    for (long now = 2; now < 6; now++) {
      mount(client).collect(now * 2_000, (now - 1) * 2_000);
    }
  }

  private AtomicBoolean heldUpAt(int operation, Meanwhile others) throws IOException {
    cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    mount("process").mkdirs("/d");
    list();
    return cluster
        .client("late")
        .faults()
        .before(new TreeMap<>(Map.of(operation, op -> others.run())));
  }

  private interface Meanwhile {
    void run() throws IOException;
  }

  @Test
  void nothingIsLeftOfALedgerThatOthersHaveForgotten() throws IOException {
    boolean reached = true;
    int held = 1;
    for (; reached; held++) {
      AtomicBoolean met = heldUpAt(held, () -> collectOften("other"));
      mount("late").collect();
      reached = met.get();
      PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
      collectOften("last");
      assertThat(cluster.objects(SimulatedMount.POOL, "")).doesNotContainKey(LEDGER);
      assertThat(cluster.objects(SimulatedMount.POOL, "").get(ObjectNames.LEDGERS).omap())
          .doesNotContainKey(PROCESS);
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  @Test
  void whatALiveProcessWritesIsNotRemovedForItsFormerLedger() throws IOException {
    FileData file =
        new FileData(
            FsPath.ofKey("d/f"), Uid.random(), true, 4, SimulatedMount.STRIPE, Optional.empty());
    boolean reached = true;
    int held = 1;
    for (; reached; held++) {
      AtomicBoolean met =
          heldUpAt(
              held,
              () -> {
                collectOften("other");
                makeAgain(file);
              });
      mount("late").collect();
      reached = met.get();
      if (reached) {
        assertThat(cluster.objects(SimulatedMount.POOL, ""))
            .as("held up at operation %s", held)
            .containsKeys(LEDGER, file.stripe(0));
      }
      PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  /** As its process does, and begins a file. */
  private void makeAgain(FileData file) throws IOException {
    list();
    mount("process")
        .store()
        .write(
            LEDGER,
            WriteOp.builder()
                .createIfMissing()
                .setOmap("s", bytes("open 1"))
                .setOmap("r", bytes(Long.toString(LATE)))
                .setOmap("f/" + file.uid(), new LedgerEntry.UnfinishedFile(file, 1).encode())
                .build());
    mount("process").writeStripe(file, bytes("data"));
  }
}
