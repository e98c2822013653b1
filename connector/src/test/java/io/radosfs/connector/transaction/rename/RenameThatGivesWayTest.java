// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rename that others have aborted is taken back, and tried again. */
class RenameThatGivesWayTest {

  private static final FsPath FROM = new FsPath("from/file");
  private static final FsPath TO = new FsPath("to/moved");

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient renaming = cluster.client("renaming");
  private boolean aborted;

  @BeforeEach
  void aRenameThatIsAbortedBeforeItIsDecided() throws IOException {
    SimulatedMount user = SimulatedMount.of(cluster.client("user"));
    user.write("/from/file", "content");
    user.write("/to/other", "other");
    FaultPlan unused =
        renaming
            .faults()
            .before(
                op -> {
                  if (op.write() && op.summary().contains("e/moved") && !aborted) {
                    aborted = true;
                    user.write("/from/file", "newer", true);
                  }
                });
  }

  @Test
  void itIsTriedAgain() throws IOException {
    SimulatedMount.of(renaming).namespace().rename(FROM, TO, false);
    assertThat(aborted).isTrue();
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsEntry("/to/moved", "newer")
        .doesNotContainKey("/from/file");
  }

  /** The next try would wait as long again. */
  @Test
  void itIsNotWhereAnOsdDoesNotAnswer() throws IOException {
    FaultPlan silent =
        renaming
            .faults()
            .always(
                op -> aborted && op.object().equals("from/"), Fault.LOSE_REQUEST.waitedForInFull());
    assertThatThrownBy(() -> SimulatedMount.of(renaming).namespace().rename(FROM, TO, false))
        .matches(Failures::hasWaitedInFull);
    assertThat(silent.struck()).hasSize(1);
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsEntry("/from/file", "newer")
        .doesNotContainKey("/to/moved");
  }
}
