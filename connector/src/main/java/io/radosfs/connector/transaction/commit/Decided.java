// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.transaction.Committed;
import java.io.IOException;
import java.util.Optional;

/**
 * A transaction whose commit is decided, by the one that has decided it or found it so. What is
 * before the decision throws, and is undone; what is after it is in here, and cannot fail the
 * caller.
 */
public final class Decided {

  /** Resolves in all that the transaction concerns. */
  @FunctionalInterface
  public interface Resolution {
    void run() throws IOException;
  }

  private final Resolution resolution;

  public Decided(Resolution resolution) {
    this.resolution = resolution;
  }

  /**
   * Resolves it, as far as that can be done now. On a thread that is interrupted, which it stays,
   * it may be less.
   */
  public Committed resolve() {
    try {
      resolution.run();
      return Committed.RESOLVED;
    } catch (IOException | RuntimeException e) {
      return new Committed(Optional.of(e));
    }
  }
}
