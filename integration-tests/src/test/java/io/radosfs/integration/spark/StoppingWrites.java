// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.integration.programs.Program;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * From when it is armed it lets so many writes pass, tells whoever started the process, and stands
 * still before the next one, for the process to be killed there.
 */
final class StoppingWrites {

  /** Told to whoever started the process. */
  static final String STOPPED = "stopped";

  private StoppingWrites() {}

  static void arm(int writes) {
    AtomicInteger left = new AtomicInteger(writes);
    HookedConnections.hook(
        write -> {
          if (left.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
            stop();
          }
          return write.go();
        });
  }

  @SuppressWarnings("SystemOut") // the test reads it
  private static void stop() throws InterruptedException {
    System.out.println(Program.ANSWER + STOPPED);
    new CountDownLatch(1).await();
  }
}
