// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A line on a terminal that says, twice a second, how far something has come. It goes away when it
 * is closed, and before anything else is printed. Thread-safe.
 */
class ProgressLine implements AutoCloseable {

  /** Shows nothing. */
  static final ProgressLine NONE = new ProgressLine();

  private ProgressLine() {}

  /**
   * @param terminal whether err is one; otherwise nothing is shown
   * @param state asked in a thread of its own
   */
  static ProgressLine of(PrintWriter err, boolean terminal, String label, Supplier<String> state) {
    return terminal ? new Shown(err, label, state) : NONE;
  }

  /** Makes room for a line of something else. */
  void clear() {}

  @Override
  public void close() {}

  private static final class Shown extends ProgressLine {

    /** Clears the line (ECMA-48, EL), from its first column on. */
    private static final String CLEAR = "\r\u001b[K";

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long SECOND = 1_000_000_000L;

    private final PrintWriter err;
    private final String label;
    private final Supplier<String> state;
    private final long begun = System.nanoTime();
    private final Thread thread = new Thread(this::run, "radosfs-progress");
    private boolean visible;
    private boolean closed;

    Shown(PrintWriter err, String label, Supplier<String> state) {
      this.err = err;
      this.label = label;
      this.state = state;
      thread.setDaemon(true);
      thread.start();
    }

    private synchronized void run() {
      try {
        while (!closed) {
          wait(INTERVAL.toMillis());
          if (!closed) {
            long seconds = (System.nanoTime() - begun) / SECOND;
            err.print(CLEAR + label + state.get() + ", " + seconds + " s");
            err.flush();
            visible = true;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    synchronized void clear() {
      if (visible) {
        err.print(CLEAR);
        err.flush();
        visible = false;
      }
    }

    @Override
    public synchronized void close() {
      clear();
      closed = true;
      notifyAll();
    }
  }
}
