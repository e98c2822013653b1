// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;

/**
 * What follows when a change is made, or is given up, on threads that may be interrupted. An
 * interrupt is never lost: an {@link InterruptedIOException} leaves its thread interrupted,
 * wherever it is thrown, so that whoever goes on after it still sees that it is to stop.
 */
public final class FollowUp {

  private final Logger log;

  /**
   * @param log of the class whose work it is
   */
  public FollowUp(Logger log) {
    this.log = log;
  }

  /**
   * Runs what is left to do when a change is made, which its failure does not undo: it is logged.
   * An interrupted thread does not begin it, or stops in it, as others can do it as well, and stays
   * interrupted.
   *
   * @param made what is done, and to what
   * @param left who does what is left now
   */
  public void quietly(Object made, String left, InvocationRaisingIOE work) {
    try {
      work.apply();
    } catch (InterruptedIOException e) {
      log.info("{}; {}, as this thread was interrupted", made, left);
    } catch (IOException | RuntimeException e) {
      log.warn("{}; {}", made, left, e);
    }
  }

  /**
   * Runs what must be done now, also on a thread that is interrupted: taking back what was begun,
   * or finding out what became of it. The interrupt is set aside for that, and there again after
   * it. Its operations end within the store's bound.
   */
  public static <T> T evenIfInterrupted(CallableRaisingIOE<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return work.apply();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same without a result. */
  public static void evenIfInterrupted(InvocationRaisingIOE work) throws IOException {
    boolean unused =
        evenIfInterrupted(
            () -> {
              work.apply();
              return true;
            });
  }
}
