// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The helper threads of {@link ParallelDirectories}. Thread-safe. */
public interface Helpers extends AutoCloseable {

  /** Has another thread run the work; returns false at once if none is free. */
  boolean run(Runnable work);

  /**
   * Waits for work that is done, or that one of the threads may be doing.
   *
   * @throws ExecutionException with what the work threw
   * @throws InterruptedException if the calling thread is interrupted, whose interrupt is then
   *     cleared
   * @throws java.util.concurrent.CancellationException if the work was cancelled
   */
  void await(Future<?> work) throws InterruptedException, ExecutionException;

  /** Makes no more threads; work under way ends by itself. */
  @Override
  default void close() {}
}
