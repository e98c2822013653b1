package io.radosfs.connector.mount;

import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Works on several directories at a time. The calling thread takes one after another, and so does
 * every thread of the pool that is free: none waits while something is left to do, and where none
 * is free, as within work on a directory, the caller does it all. Threads are made when there is
 * work and end when there is none. Thread-safe.
 */
final class ParallelDirectories implements DirectoryLoop, AutoCloseable {

  private static final int IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  ParallelDirectories(int parallel, String name) {
    threads =
        new ThreadPoolExecutor(
            0,
            parallel,
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
  public <T> void run(Collection<T> all, Work<T> work) throws IOException {
    if (all.size() < 2) {
      DirectoryLoop.sequential().run(all, work);
      return;
    }
    List<FutureTask<Void>> tasks = new ArrayList<>(all.size());
    for (T one : all) {
      tasks.add(
          new FutureTask<>(
              () -> {
                work.on(one);
                return null;
              }));
    }
    Queue<FutureTask<Void>> left = new ConcurrentLinkedQueue<>(tasks);
    int helpers = 0;
    while (helpers < tasks.size() - 1 && isHelped(left)) {
      helpers++;
    }
    for (FutureTask<Void> task = left.poll(); task != null; task = left.poll()) {
      task.run();
      // Threads that were at another's work may be free by now.
      if (helpers < tasks.size() - 1 && !left.isEmpty() && isHelped(left)) {
        helpers++;
      }
    }
    FirstFailure failure = new FirstFailure();
    for (FutureTask<Void> task : tasks) {
      await(task, failure);
    }
    failure.rethrow();
  }

  /** Has a thread take what is left, one after another; false when none is free. */
  private boolean isHelped(Queue<FutureTask<Void>> left) {
    try {
      threads.execute(
          () -> {
            for (FutureTask<Void> task = left.poll(); task != null; task = left.poll()) {
              task.run();
            }
          });
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private static void await(FutureTask<Void> task, FirstFailure failure)
      throws InterruptedIOException {
    try {
      Void unused = task.get();
    } catch (ExecutionException e) {
      failure.add(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while others worked on directories");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Lets work under way end. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
