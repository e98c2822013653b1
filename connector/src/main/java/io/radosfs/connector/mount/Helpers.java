// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The threads that help {@link ParallelDirectories}. Thread-safe. */
public interface Helpers extends AutoCloseable {

  /** Has another thread run this; false, at once, when none is free. */
  boolean run(Runnable work);

  /**
   * Waits for something that one of them may be at, or that is done.
   *
   * @throws ExecutionException of what it threw
   * @throws InterruptedException when the calling thread is interrupted, which it is no more then
   * @throws java.util.concurrent.CancellationException when it was cancelled
   */
  void await(Future<?> work) throws InterruptedException, ExecutionException;

  /** Makes no more threads; work under way ends by itself. */
  @Override
  default void close() {}
}
