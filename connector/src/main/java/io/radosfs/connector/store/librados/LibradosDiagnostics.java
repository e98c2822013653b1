// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.util.List;

/**
 * What this process has under way in librados: for tests, and for a look at a process that hangs.
 */
public final class LibradosDiagnostics {

  private LibradosDiagnostics() {}

  /** What librados has not called back for: each operation's steps, object and pool. */
  public static List<String> operationsUnderWay() {
    return Completions.pending().stream().map(PendingOp::toString).toList();
  }

  /**
   * Native memory arenas that are not freed; no more than operations, and 0 when there are none.
   */
  public static int arenasInUse() {
    return NativeArena.live();
  }
}
