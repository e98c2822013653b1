package io.radosfs.connector.explorer;

import org.junit.jupiter.api.Test;

/** The swarm over one name space; with {@code -Pdeep} for hours. */
class NamespaceExplorerTest {

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");
  private static final long SEED = 20_261_123;

  @Test
  void nothingGoesWrong() {
    new Explorer("a name space", new NamespaceWorld()).explore(SEED, DEEP ? 1_000_000 : 3_000);
  }
}
