// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli.ending;

import java.io.Closeable;
import java.io.IOException;

/**
 * Lets work that has no end of its own be ended from outside, by Ctrl-C or {@code kill}: the thread
 * that does it is interrupted, finishes, and the process has the exit status 0. Only the thread
 * that made it uses it.
 */
public final class UntilStopped implements Closeable {

  private static final int DONE = 0;

  // A shutdown by a signal has a status of its own, unless it is ended here.
  private final ProcessEnd processEnd =
      new ProcessEnd(Thread.currentThread()::interrupt, () -> Runtime.getRuntime().halt(DONE));

  /** Work that takes some time and can be interrupted. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Runs it.
   *
   * @throws IOException from it, if it failed before it was stopped
   */
  public void run(Work work) throws IOException {
    try {
      work.run();
    } catch (IOException e) {
      if (!processEnd.hasBegun()) {
        throw e;
      }
    } catch (InterruptedException e) {
      if (!processEnd.hasBegun()) {
        Thread.currentThread().interrupt();
      }
    }
    if (processEnd.hasBegun()) {
      // What is left to do, such as closing a connection, is not to be interrupted.
      boolean unused = Thread.interrupted();
    }
  }

  /** To be called when all is closed. */
  @Override
  public void close() {
    processEnd.close();
  }
}
