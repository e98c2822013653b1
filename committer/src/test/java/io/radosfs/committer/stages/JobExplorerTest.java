// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The swarm with jobs, beside clients of the name space that they write to; with {@code -Pdeep} for
 * hours, and by {@code -Dsimulation.seed=N -Dsimulation.runs=N} over seeds of one's choice.
 */
@Tag("exploration")
class JobExplorerTest {

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");
  private static final long SEED = 20_261_123;

  @Test
  void nothingGoesWrong() {
    new Explorer("jobs", new JobWorld()).explore(SEED, DEEP ? 300_000 : 300);
  }
}
