package io.radosfs.connector.store.librados;

/**
 * What this process has under way in librados: for tests, and for a look at a process that hangs.
 */
public final class LibradosDiagnostics {

  private LibradosDiagnostics() {}

  /** Operations that librados has not called back for. */
  public static int operationsUnderWay() {
    return Completions.pending();
  }

  /**
   * Native memory arenas that are not freed; no more than operations, and 0 when there are none.
   */
  public static int arenasInUse() {
    return NativeArena.live();
  }
}
