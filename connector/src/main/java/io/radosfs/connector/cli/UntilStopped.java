// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that has no end of its own be ended from outside, by Ctrl-C or {@code kill}: the thread
 * that does it is interrupted, finishes, and the process has the exit status 0. Only the thread
 * that made it uses it.
 */
final class UntilStopped implements Closeable {

  /** After so long, the process ends whether the work has finished or not. */
  private static final long BOUND_SECONDS = 5;

  private static final int DONE = 0;

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "radosfs-stop");
  private volatile boolean stopped;

  UntilStopped() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stop() {
    stopped = true;
    worker.interrupt();
    try {
      boolean unused = finished.await(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts it; the process ends all the same.
    }
    // A shutdown by a signal has a status of its own, unless it is ended here.
    Runtime.getRuntime().halt(DONE);
  }

  /** Work that takes some time and can be interrupted. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Runs it.
   *
   * @throws IOException from it, if it failed before it was stopped
   */
  void run(Work work) throws IOException {
    try {
      work.run();
    } catch (IOException e) {
      if (!stopped) {
        throw e;
      }
    } catch (InterruptedException e) {
      if (!stopped) {
        Thread.currentThread().interrupt();
      }
    }
    if (stopped) {
      // What is left to do, such as closing a connection, is not to be interrupted.
      boolean unused = Thread.interrupted();
    }
  }

  /** To be called when all is closed. */
  @Override
  public void close() {
    if (stopped) {
      finished.countDown();
    } else {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        finished.countDown(); // stopped just now
      }
    }
  }
}
