// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.transaction.Committed;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * A transaction that this client has committed, or has found committed. What comes before the
 * decision throws, and is undone. What comes after it is in here, and cannot fail the caller.
 */
public final class Decided {

  private final InvocationRaisingIOE resolution;

  /**
   * @param resolution resolves everything that the transaction concerns
   */
  public Decided(InvocationRaisingIOE resolution) {
    this.resolution = resolution;
  }

  /**
   * Resolves the transaction as far as is possible now; a failure is in what it returns. An
   * interrupt may stop it early; the thread stays interrupted. An error of the JVM, as when memory
   * is short, is a failure like any other: it does not undo the decision.
   */
  public Committed resolve() {
    try {
      resolution.apply();
      return Committed.RESOLVED;
    } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
      return new Committed(Optional.of(e));
    }
  }
}
