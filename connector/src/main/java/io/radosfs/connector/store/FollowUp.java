// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;

/**
 * Runs the work that follows when a change is made or given up, on threads that may be interrupted.
 * An interrupt is never lost: each {@link InterruptedIOException} leaves its thread interrupted, so
 * that the code that goes on after it still sees that it must stop.
 */
public final class FollowUp {

  private final Logger log;

  /**
   * @param log the log of the class whose work it is
   */
  public FollowUp(Logger log) {
    this.log = log;
  }

  /**
   * Runs the work that remains after a change is made. Its failure does not undo the change and is
   * only logged, even if it is an error of the JVM, as when memory is short or a class is missing:
   * the caller must learn that the change is made. On an interrupt the work does not begin, or
   * stops, as another client can do it as well; the thread stays interrupted.
   *
   * @param made the change that is made, for the log
   * @param left who does the remaining work if this fails, for the log
   */
  public void quietly(Object made, String left, InvocationRaisingIOE work) {
    try {
      work.apply();
    } catch (InterruptedIOException e) {
      log.info("{}; {}, as this thread was interrupted", made, left);
    } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
      log.warn("{}; {}", made, left, e);
    }
  }

  /**
   * Runs work that must be done now even if the thread is interrupted: undoing what was begun, or
   * finding out its outcome. The interrupt is cleared for the work, and set again after it. The
   * operations of the work end within the store's bound.
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

  /** A wait that an interrupt ends. */
  @FunctionalInterface
  public interface Wait<T> {
    /** Waits so long at most. */
    T within(Duration left) throws InterruptedException;
  }

  /**
   * Waits even if the thread is interrupted, and goes on after each interrupt for the rest of the
   * bound, which may be none. The thread stays interrupted.
   */
  public static <T> T evenIfInterrupted(Duration bound, Wait<T> wait) {
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      while (true) {
        try {
          long left = deadline - System.nanoTime();
          return wait.within(Duration.ofNanos(Math.max(0, left)));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same as {@link #evenIfInterrupted(CallableRaisingIOE)}, but without a result. */
  public static void evenIfInterrupted(InvocationRaisingIOE work) throws IOException {
    boolean unused =
        evenIfInterrupted(
            () -> {
              work.apply();
              return true;
            });
  }
}
