// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A rename that locks a directory which others have removed since its entry was read. */
class StaleLockTest {

  private static final FsPath MOVED = new FsPath("a/c");
  private static final DataLayout LAYOUT = new DataLayout(Optional.empty(), Optional.of(6));

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private static boolean changesIndexOfMoved(OpInfo op) {
    return op.write() && op.object().equals(IndexObject.head(MOVED).name());
  }

  private static void onceBefore(SimulatedClient client, FaultPlan.Interlude step) {
    AtomicBoolean done = new AtomicBoolean();
    var unused =
        client
            .faults()
            .before(
                op -> {
                  if (changesIndexOfMoved(op) && !done.getAndSet(true)) {
                    step.before(op);
                  }
                });
  }

  /** Its index was made anew meanwhile, for a directory that is gone, and is not opened. */
  @Test
  void leavesNoOpenIndexWithoutADirectory() throws IOException {
    SimulatedMount setUp = SimulatedMount.of(cluster.client("set-up"));
    setUp.mkdirs("/a/c");
    setUp.mkdirs("/b");
    SimulatedClient setter = cluster.client("setter");
    SimulatedClient mover = cluster.client("mover");
    onceBefore(
        mover,
        any -> {
          onceBefore(setter, op -> assertThat(setUp.namespace().delete(MOVED, true)).isTrue());
          var unused = setter.faults().once(StaleLockTest::changesIndexOfMoved, Fault.CRASH_AFTER);
          SimulatedMount set = SimulatedMount.of(setter);
          Throwable died = catchThrowable(() -> set.layouts().change(MOVED, before -> LAYOUT));
          assertThat(setter.crashed()).as("%s", died).isTrue();
        });

    SimulatedMount moving = SimulatedMount.of(mover);
    Throwable refused =
        catchThrowable(() -> moving.namespace().rename(MOVED, new FsPath("b/c"), false));

    assertThat(refused).isInstanceOf(IOException.class);
    assertThat(setUp.namespace().lookup(MOVED)).isEmpty();
    SimulatedMount writing = SimulatedMount.of(cluster.client("writer"));
    writing.write("/a/c/f", "here");
    assertThat(setUp.tree()).containsEntry("/a/c/f", "here");
    SimulatedMount collecting = SimulatedMount.of(cluster.client("collector"));
    collecting.collect();
    collecting.collectLongAfter();
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }
}
