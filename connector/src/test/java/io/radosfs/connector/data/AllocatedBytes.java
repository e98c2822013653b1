// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How much memory answers need that a thread, as that of librados, brings. */
final class AllocatedBytes {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocatedBytes() {}

  /**
   * Answers operations one after another, from another thread.
   *
   * @param first how many are answered before it is measured, so that all classes are there
   * @return the bytes of the heap that the answers after those took
   */
  static long ofAnswers(List<CompletableFuture<Void>> operations, int first)
      throws InterruptedException {
    long[] taken = new long[1];
    Thread librados =
        new Thread(
            () -> {
              long before = 0;
              for (int i = 0; i < operations.size(); i++) {
                if (i == first) {
                  before = THREADS.getCurrentThreadAllocatedBytes();
                }
                boolean unused = operations.get(i).complete(null);
              }
              taken[0] = THREADS.getCurrentThreadAllocatedBytes() - before;
            });
    librados.start();
    librados.join();
    return taken[0];
  }
}
