// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Another client removes a directory, at any operation of one that uses it. */
@Execution(ExecutionMode.CONCURRENT)
class RemovedWhileItIsUsedTest {

  private static final FsPath TOP = new FsPath("b");
  private static final FsPath DIRECTORY = new FsPath("b/c");
  private static final FsPath GONE = new FsPath("a");
  private static final DataLayout OTHER =
      new DataLayout(Optional.of(SimulatedMount.OTHER_POOL), Optional.empty());

  /** Operations until something more happens. */
  private static final int LONGEST = 30;

  private SimulatedCluster cluster;

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private void begin() throws IOException {
    cluster = SimulatedCluster.withPools(SimulatedMount.POOL, SimulatedMount.OTHER_POOL);
    mount("user").mkdirs("/b");
    var set = mount("user").layouts().change(TOP, before -> OTHER);
    mount("user").mkdirs("/b/c");
  }

  /** It is made anew, and a file in it is in its layout, which is inherited, as any. */
  @Test
  void aFileIsInTheLayoutOfTheDirectoryThatIsMadeAnew() throws IOException {
    boolean more = true;
    for (int at = 1; more; at++) {
      more = false;
      for (int anew = at + 1; anew <= at + LONGEST; anew++) {
        more |= writeWhileItIsMadeAnew(at, anew);
      }
    }
  }

  /** Whether it came to that. */
  private boolean writeWhileItIsMadeAnew(int at, int anew) throws IOException {
    begin();
    TreeMap<Integer, FaultPlan.Interlude> meanwhile = new TreeMap<>();
    meanwhile.put(at, op -> mount("other").namespace().delete(DIRECTORY, true));
    meanwhile.put(anew, op -> mount("other").write("/b/c/g", "theirs"));
    AtomicBoolean reached = cluster.client("a").faults().before(meanwhile);
    try {
      mount("a").write("/b/c/f", "content");
    } catch (FileNotFoundException e) {
      assertThat(e).hasMessageContaining("its directory was removed while it was written");
    }
    Optional<Entry> file = mount("reader").namespace().lookup(new FsPath("b/c/f"));
    if (file.isPresent()) {
      assertThat(((Entry.OfFile) file.get()).data().pool())
          .as("removed at operation %d, made anew at %d", at, anew)
          .isEqualTo(OTHER.pool());
    }
    return reached.get();
  }

  /** Also while another client tries to rename it, and makes an index of what is gone. */
  @Test
  void whatIsGoneHasNoLayout() throws IOException {
    boolean more = true;
    for (int at = 1; more; at++) {
      more = false;
      for (int asked = at + 1; asked <= at + LONGEST; asked++) {
        begin();
        mount("user").write("/a/old", "content");
        TreeMap<Integer, FaultPlan.Interlude> meanwhile = new TreeMap<>();
        meanwhile.put(at, op -> removeAndDie());
        meanwhile.put(
            asked,
            op -> {
              SimulatedMount reader = mount("reader");
              if (reader.namespace().lookup(GONE).isEmpty()) {
                assertThatThrownBy(() -> reader.layouts().of(GONE))
                    .isInstanceOf(FileNotFoundException.class);
              }
            });
        AtomicBoolean reached = cluster.client("a").faults().before(meanwhile);
        try {
          mount("a").namespace().rename(GONE, new FsPath("e"), false);
        } catch (FileNotFoundException e) {
          assertThat(e).hasMessageContaining("/a");
        }
        more |= reached.get();
      }
    }
  }

  /** Leaves an index that is closing, of a directory whose entry is gone. */
  private void removeAndDie() throws IOException {
    SimulatedClient dying = cluster.client("dying");
    SimulatedMount mount = SimulatedMount.of(dying);
    FaultPlan unused =
        dying.faults().once(op -> op.write() && op.object().equals("/"), Fault.CRASH_AFTER);
    try {
      assertThat(mount.namespace().delete(GONE, true)).as("it has another name by now").isFalse();
    } catch (ClientCrashed e) {
      // As it was to.
    }
  }
}
