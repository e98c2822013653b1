// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Looks files up, one after another in a mixed order, by several threads at once.
 *
 * @param files how many there are
 * @param each how many look-ups each thread makes
 */
public record LookUpLoad(int files, int each) {

  /** A prime number, so that neighbours are far apart. */
  private static final long STEP = 7_919;

  private static final long MOST_MINUTES = 10;

  /** Looks one file up, and waits for the answer. */
  @FunctionalInterface
  public interface LookUp {
    void of(int file) throws IOException;
  }

  /**
   * Runs each of these by a thread of its own.
   *
   * @return seconds from the first look-up to the last answer
   * @throws IOException if one of them failed, once all have ended
   */
  public double run(List<LookUp> lookUps) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(lookUps.size());
    try {
      long started = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < lookUps.size(); t++) {
        int first = t * files / lookUps.size();
        LookUp lookUp = lookUps.get(t);
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    lookUp.of((int) ((first + i * STEP) % files));
                  }
                  return null;
                }));
      }
      threads.shutdown();
      for (Future<?> one : all) {
        one.get();
      }
      return (System.nanoTime() - started) / 1e9;
    } catch (ExecutionException e) {
      throw new IOException("a look-up failed: " + e.getCause().getMessage(), e.getCause());
    } finally {
      // Whatever failed, the others use what the caller closes, and librados ends each operation.
      threads.shutdown();
      if (!threads.awaitTermination(MOST_MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException("look-ups do not end");
      }
    }
  }
}
