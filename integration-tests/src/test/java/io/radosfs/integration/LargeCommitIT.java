// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.LargeCommitProgram;
import io.radosfs.integration.tables.Deep;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver with little memory commits a job of many files on a real Ceph: a million in 512 MiB with
 * {@code -Pdeep}, else a tenth of them.
 */
class LargeCommitIT {

  private static final int FILES = Deep.choose(100_000, 1_000_000);
  private static final int HEAP = Deep.choose(96, 512);

  private final CephCluster ceph = CephCluster.shared();
  private String pool;

  @BeforeEach
  void createPool() {
    pool = ceph.createPool();
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void manyFilesInASmallHeap(int directories) throws IOException {
    String output =
        ChildJvm.runInHeap(
            HEAP,
            LargeCommitProgram.class,
            ceph.conf().toString(),
            ceph.admin().entity(),
            ceph.admin().keyring().toString(),
            "rados://" + pool + "/table",
            Integer.toString(FILES),
            Integer.toString(directories));
    System.out.println(output.lines().filter(line -> line.startsWith("committed ")).toList());
    assertThat(output).contains("committed " + FILES + " files");
  }
}
