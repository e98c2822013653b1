// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Terasort on the simulation. */
@Tag("slow")
class TeraSortOnSimulationTest {

  @TempDir java.nio.file.Path local;

  private final SimulatedCluster cluster = SimulatedCluster.withPools("pool");

  @Test
  void rowsAreGeneratedSortedAndFoundInOrder() throws Exception {
    new TeraSortPrograms(SimulatedConnections.configuration(cluster), new Path("rados://pool/tera"))
        .run(3000, local);
    assertThat(cluster.objects("pool", "").keySet())
        .noneMatch(name -> name.contains("//job/") || name.contains("__radosfs_work"));
  }
}
