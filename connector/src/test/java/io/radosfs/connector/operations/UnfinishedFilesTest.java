// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A file that its writer gave up is no more one whose attributes can be changed. */
class UnfinishedFilesTest {

  private final SimulatedClient client = SimulatedCluster.withPools("meta").client("a");

  private void writingFailsAt(Predicate<String> object) throws Exception {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/before", "x");
    client
        .faults()
        .once(
            op -> op.write() && object.test(op.object()),
            Fault.failWith(StoreException.Kind.NO_SPACE));
    assertThatThrownBy(() -> mount.write("/a/f", "some content"))
        .isInstanceOf(StoreException.class);
    assertThat(client.faults().struck()).hasSize(1);
    assertThatThrownBy(
            () -> mount.namespace().setAttributes(FsPath.parse("/a/f"), before -> before))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void ofWhichNoByteWasWritten() throws Exception {
    writingFailsAt(object -> object.startsWith("//ledger/"));
  }

  @Test
  void ofWhichNoStripeCame() throws Exception {
    writingFailsAt("a/f"::equals);
  }

  @Test
  void thatWasWrittenAndNotPublished() throws Exception {
    writingFailsAt("a/"::equals);
  }
}
