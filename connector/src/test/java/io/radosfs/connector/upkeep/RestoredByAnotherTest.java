// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.upkeep.Restoration.Kept;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A client that restores a file is held up, is taken for dead, and another restores it. */
@Execution(ExecutionMode.CONCURRENT)
class RestoredByAnotherTest {

  private static final String LONG = "more than one stripe of it";
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final long DUE = SimulatedMount.WORKING + KEPT.toMillis();

  private SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount mount(String client, long now) throws IOException {
    return SimulatedMount.of(cluster.client(client), new Retention(KEPT, () -> now));
  }

  private SimulatedMount mount(String client) throws IOException {
    return mount(client, SimulatedMount.WORKING);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static List<Kept> kept(SimulatedMount mount) throws IOException {
    return mount.wiring().restoration().kept(path("/d"), Failures.END);
  }

  private void restore(String client, String target) throws IOException {
    SimulatedMount mount = mount(client);
    mount.wiring().restoration().restore(kept(mount).get(0), path(target));
  }

  private void check() throws IOException {
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  private static boolean takes(OpInfo op) {
    return op.write() && op.summary().contains("setXattr(radosfs.owner");
  }

  /** It would take the other stripes from the file that the other one has made of them. */
  @Test
  void whatAnotherHasMadeAFileOfIsNotTaken() throws IOException {
    boolean reached = true;
    int restored = 0;
    for (int held = 1; reached; held++) {
      cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      mount("writer").write("/d/f", LONG);
      mount("writer").write("/d/f", "new", true);
      int at = held;
      boolean[] met = new boolean[2];
      FaultPlan unused =
          cluster
              .client("a")
              .faults()
              .before(
                  op -> {
                    if (op.number() == at) {
                      met[0] = true;
                      mount("gc", 2_000).collect(2_000, SimulatedMount.WORKING);
                      if (!kept(mount("b")).isEmpty()) {
                        met[1] = true;
                        restore("b", "/s/f");
                      }
                    }
                  });
      String when = "held up at operation " + held;
      boolean ended = false;
      try {
        restore("a", "/r/f");
        ended = true;
      } catch (IOException | IndexOutOfBoundsException e) {
        assertThat(met[1]).as(when).isTrue();
      }
      reached = met[0];
      restored += met[1] ? 1 : 0;
      check();
      mount("gc2", 2 * DUE).collect(2 * DUE, SimulatedMount.WORKING);
      mount("gc3", 3 * DUE).collect(3 * DUE, 2 * DUE);
      check();
      assertThat(ended && met[1]).as(when).isFalse();
      assertThat(mount("reader").read(path(met[1] ? "/s/f" : "/r/f"))).as(when).isEqualTo(LONG);
    }
    assertThat(restored).isGreaterThan(5);
  }

  /** What it took of a long file goes before the rest: then nothing is left at the beginning. */
  @Test
  void theRestOfALongFileIsRemovedAlsoWhereTheBeginningIsGone() throws IOException {
    mount("writer").write("/d/f", "12345678".repeat(1_200));
    mount("writer").write("/d/f", "new", true);
    AtomicInteger taking = new AtomicInteger();
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .once(op -> takes(op) && taking.incrementAndGet() == 1_100, Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> restore("a", "/r/f")).isInstanceOf(ClientCrashed.class);
    mount("gc").collect(2_000, SimulatedMount.WORKING);
    RestorationTest.removeReturned(mount("gc2"));
    check();
    mount("gc3", 2 * DUE).collect(2 * DUE, SimulatedMount.WORKING);
    mount("gc4", 3 * DUE).collect(3 * DUE, 2 * DUE);
    mount("gc5", 5 * DUE).collect(5 * DUE, 4 * DUE);
    check();
  }

  /**
   * An object of the file is missing, and the taking of a later one is still on its way. It arrives
   * when what was taken is gone already, and the rest of the old file is not. Which of the two goes
   * first depends on their uids.
   */
  @RepeatedTest(20)
  void whatIsTakenLateOfAFileThatIsNotWholeIsRemoved() throws IOException {
    mount("writer").write("/d/f", LONG);
    mount("writer").write("/d/f", "new", true);
    FileData data = kept(mount("a")).get(0).file().data();
    mount("other").store().write(data.stripe(1), WriteOp.builder().remove().build());
    String late = data.stripe(3);
    FaultPlan delayed =
        cluster.client("a").faults().once(op -> takes(op) && op.object().equals(late), Fault.DELAY);
    SimulatedMount a = mount("a");
    assertThatThrownBy(() -> a.wiring().restoration().restore(kept(a).get(0), path("/r/f")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(data.stripe(1));
    a.write("/r/g", "whose line in the ledger crosses the other out");
    AtomicInteger removals = new AtomicInteger();
    FaultPlan landing =
        cluster
            .client("gc")
            .faults()
            .before(
                op -> {
                  if (op.write() && op.object().equals(late) && removals.incrementAndGet() == 2) {
                    assertThat(cluster.landDelayedOps()).isEqualTo(1);
                  }
                });
    mount("gc", 2 * DUE).collect(2 * DUE, SimulatedMount.WORKING);
    assertThat(removals).hasValueGreaterThan(1);
    mount("gc2", 3 * DUE).collect(3 * DUE, 2 * DUE);
    mount("gc3", 5 * DUE).collect(5 * DUE, 4 * DUE);
    check();
  }
}
