// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.ManyJobsApp;
import io.radosfs.integration.programs.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After 200 jobs a process has no more threads and no more memory than after 20. */
class ManyJobsIT {

  /**
   * What the JVM's own compiler may add meanwhile. One buffer of 4 MiB that each fourth job leaks
   * would be 180 MiB.
   */
  private static final long JITTER = 4 << 20;

  @TempDir Path folder;

  /** What a process has: open files, bytes of direct buffers and of malloc, threads by name. */
  private record Usage(int files, long direct, long malloc, List<String> threads) {

    static Usage parse(String answer) {
      String[] words = answer.split(" ", 4);
      return new Usage(
          Integer.parseInt(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          List.of(words[3].split(",")));
    }

    Usage withMalloc(long bytes) {
      return new Usage(files, direct, bytes, threads);
    }
  }

  @Test
  void twoHundredJobsLeaveNoMoreThanTwenty() throws Exception {
    CephCluster ceph = CephCluster.shared();
    String pool = ceph.createPool();
    try (Program jobs =
        Program.start(
            folder, ManyJobsApp.class, Map.of(), ceph.conf().toString(), pool, "0", "20", "200")) {
      // The first look is left out: it loads what it looks with.
      jobs.answer();
      Usage few = Usage.parse(jobs.answer());
      Usage many = Usage.parse(jobs.answer());
      assertThat(many.withMalloc(0)).isEqualTo(few.withMalloc(0));
      assertThat(many.malloc() - few.malloc())
          .as("growth of malloc, from %s to %s", few, many)
          .isLessThan(JITTER);
      new PoolState(ceph, pool, JobFiles.configuration(ceph)).assertCleanAfterCollection();
    } finally {
      ceph.deletePool(pool);
    }
  }
}
