// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The swarm over one name space; with {@code -Pdeep} for hours, and by {@code -Dsimulation.seed=N
 * -Dsimulation.runs=N} over seeds of one's choice.
 */
@Tag("exploration")
class NamespaceExplorerTest {

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");
  private static final long SEED = 20_261_123;

  @Test
  void nothingGoesWrong() {
    new Explorer("a name space", new FocusedWorld()).explore(SEED, DEEP ? 500_000 : 800);
  }
}
