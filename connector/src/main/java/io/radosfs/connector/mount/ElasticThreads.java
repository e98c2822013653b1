package io.radosfs.connector.mount;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that are made when there is work and end when there is none; where as many as allowed are
 * busy, or all were let go of, the caller's own. Nothing ever waits for a thread. Thread-safe.
 */
final class ElasticThreads implements Executor, AutoCloseable {

  private static final int IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  /**
   * @param most threads at a time
   */
  ElasticThreads(int most, String name) {
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
  public void execute(Runnable work) {
    if (!tryExecute(work)) {
      work.run();
    }
  }

  /** Whether a thread was free for it; if not, nothing is done. */
  boolean tryExecute(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Lets go of the threads; work under way goes on. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
