// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli.ending;

import java.io.Closeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells work that the process is being ended, by Ctrl-C or {@code kill}. The process waits until
 * the work has finished too, for a bounded time.
 */
public final class ProcessEnd implements Closeable {

  /** After so long, the process ends whether the work has finished or not. */
  private static final long BOUND_SECONDS = 5;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Runnable first;
  private final Runnable last;
  private final Thread hook = new Thread(this::end, "radosfs-stop");

  /** The work asks whether it has begun. */
  public ProcessEnd() {
    this(() -> {}, () -> {});
  }

  /**
   * @param first done once it has begun
   * @param last done once the work has finished, or the time is over
   */
  ProcessEnd(Runnable first, Runnable last) {
    this.first = first;
    this.last = last;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void end() {
    begin();
    try {
      boolean unused = finished.await(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts it; the process ends all the same.
    }
    last.run();
  }

  /** What the process does first when it is being ended. */
  public void begin() {
    begun.countDown();
    first.run();
  }

  boolean hasBegun() {
    return begun.getCount() == 0;
  }

  /** Whether it has begun, or does within some time. */
  boolean beginsWithin(long millis) throws InterruptedException {
    return begun.await(millis, TimeUnit.MILLISECONDS);
  }

  /** To be called when all is closed. */
  @Override
  public void close() {
    if (hasBegun()) {
      finished.countDown();
      return;
    }
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      finished.countDown(); // begun just now
    }
  }
}
