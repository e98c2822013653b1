// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs work in threads of its own. */
final class Threads {

  private Threads() {}

  /** Some work. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** Runs all, so many at a time, in their order. What fails first, fails all. */
  static void run(int atATime, List<Work> all) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(atATime);
    try {
      List<Future<Void>> begun = new ArrayList<>();
      for (Work work : all) {
        Callable<Void> call =
            () -> {
              work.run();
              return null;
            };
        begun.add(threads.submit(call));
      }
      for (Future<Void> each : begun) {
        Void unused = each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a thread failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while threads work");
    } finally {
      threads.shutdownNow();
    }
  }
}
