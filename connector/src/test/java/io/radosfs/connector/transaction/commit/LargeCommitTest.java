// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Commits of more names than one operation takes: prepared and applied in pieces, visible at once.
 */
@Tag("slow")
class LargeCommitTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB = new Registration("job", OUT, "out//job/job");
  private static final int FILES = 2 * BatchLimit.DEFAULT.names() + 1;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private static DirectoryChange change(FsPath directory) throws IOException {
    Map<String, Entry> files = new HashMap<>();
    for (int i = 0; i < FILES; i++) {
      String name = "part-" + i;
      FileData data =
          new FileData(directory.child(name), Uid.random(), true, 1, 1 << 20, Optional.empty());
      files.put(name, new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES));
    }
    return DirectoryChange.adding(files);
  }

  private int visible(FsPath directory) throws IOException {
    return SimulatedMount.of(cluster.client("reader")).wiring().visible().list(directory).size();
  }

  @Test
  void manyFilesInTheDestination() throws Exception {
    commitsManyFiles(OUT);
  }

  @Test
  void manyFilesInAPartition() throws Exception {
    commitsManyFiles(OUT.child("p=1"));
  }

  private void commitsManyFiles(FsPath directory) throws Exception {
    SimulatedMount mount = SimulatedMount.of(cluster.client("driver"));
    mount.mkdirs("/out");
    mount.transactions().register(JOB);
    mount.transactions().commit(JOB, Map.of(directory, change(directory)), Set.of());
    assertThat(visible(directory)).isEqualTo(FILES);
    mount.transactions().forget(JOB);
    assertThat(visible(directory)).isEqualTo(FILES);
  }

  @Test
  void dyingWhileItIsApplied() throws Exception {
    SimulatedMount.of(cluster.client("setup")).mkdirs("/out");
    SimulatedMount.of(cluster.client("setup")).transactions().register(JOB);
    DirectoryChange change = change(OUT);
    // The decision is the fourth write after three preparations; these die in the pieces after it.
    for (int write : new int[] {3, 4, 5, 9}) {
      SimulatedMount mount = SimulatedMount.of(cluster.client("driver-" + write));
      cluster.client("driver-" + write).faults().atWrite(write, Fault.CRASH_AFTER);
      try {
        mount.transactions().commit(JOB, Map.of(OUT, change), Set.of());
      } catch (ClientCrashed expected) {
        State state = mountOf("look-" + write).transactions().state(JOB).orElseThrow();
        assertThat(visible(OUT)).isEqualTo(state == State.COMMITTED ? FILES : 0);
      }
    }
    SimulatedMount recovery = mountOf("recovery");
    assertThat(recovery.transactions().abort(JOB)).isEqualTo(State.COMMITTED);
    recovery.transactions().resolve(JOB, Set.of(OUT));
    recovery.transactions().forget(JOB);
    assertThat(visible(OUT)).isEqualTo(FILES);
  }

  private SimulatedMount mountOf(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }
}
