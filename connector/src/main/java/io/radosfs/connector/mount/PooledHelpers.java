// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that are made when there is work, and end when there is none. */
final class PooledHelpers implements Helpers {

  private static final int IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  PooledHelpers(int most, String name) {
    threads =
        new ThreadPoolExecutor(
            0,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public boolean run(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public void await(Future<?> work) throws InterruptedException, ExecutionException {
    Object unused = work.get();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
