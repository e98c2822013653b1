// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.workbench.Counters;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Writers that all do the same for some time, each one thing after another. */
final class Writers {

  private Writers() {}

  /** What a writer does again and again. */
  @FunctionalInterface
  interface Step {

    /**
     * Does it once.
     *
     * @param number how often this writer has done it before
     */
    void run(int writer, long number) throws IOException;
  }

  /**
   * Runs them all at once, each for one thing at least.
   *
   * @param first the number of the first of them
   * @param seconds none begins anything further later than this
   */
  static WorkerAnswer run(int first, int count, double seconds, Step step) throws IOException {
    AtomicLong done = new AtomicLong();
    long started = System.nanoTime();
    long length = Math.round(seconds * 1e9);
    Threads.run(
        count,
        IntStream.range(first, first + count)
            .mapToObj(
                writer ->
                    (Threads.Work)
                        () -> {
                          long number = 0;
                          do {
                            step.run(writer, number++);
                            done.incrementAndGet();
                          } while (System.nanoTime() - started < length);
                        })
            .toList());
    return WorkerAnswer.of(done.get(), System.nanoTime() - started, new Counters(Map.of()));
  }
}
