// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.util.List;

/** What this process has under way in librados, for tests and to examine a process that hangs. */
public final class LibradosDiagnostics {

  private LibradosDiagnostics() {}

  /** The operations that librados has not called back for: steps, object and pool of each. */
  public static List<String> operationsUnderWay() {
    return Completions.pending().stream().map(PendingOp::toString).toList();
  }

  /** The number of native memory arenas not freed: at most one for each operation under way. */
  public static int arenasInUse() {
    return NativeArena.live();
  }
}
