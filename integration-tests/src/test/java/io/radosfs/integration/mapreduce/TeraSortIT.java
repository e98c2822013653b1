// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.TeraSortPrograms;
import io.radosfs.integration.spark.SparkOnCeph;
import io.radosfs.integration.tables.Deep;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Terasort on a real Ceph. */
class TeraSortIT {

  /** Of 100 bytes: more than a stripe. */
  private static final int ROWS = Deep.choose(100_000, 5_000_000);

  @TempDir Path local;

  private SparkOnCeph on;

  @BeforeEach
  void createPool() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterEach
  void deletePool() {
    on.close();
  }

  @Test
  void rowsAreGeneratedSortedAndFoundInOrder() throws Exception {
    new TeraSortPrograms(on.configuration(), on.path("tera")).run(ROWS, local);
    assertThat(on.radosfs("fsck", "--data")).as("what it says when nothing is wrong").isNotBlank();
    assertThat(on.ceph.listObjects(on.pool))
        .noneMatch(name -> name.contains("//job/") || name.contains("__radosfs_work"));
  }
}
