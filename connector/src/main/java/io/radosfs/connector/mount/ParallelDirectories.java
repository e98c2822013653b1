package io.radosfs.connector.mount;

import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Works on several directories at a time. Threads are made when there is work and end when there is
 * none; beyond their number the calling thread does the work itself, so that no work ever waits for
 * other work. Thread-safe.
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
            },
            (task, full) -> task.run());
  }

  @Override
  public <T> void run(Collection<T> all, Work<T> work) throws IOException {
    if (all.size() < 2) {
      DirectoryLoop.sequential().run(all, work);
      return;
    }
    List<FutureTask<Void>> tasks = new ArrayList<>(all.size());
    for (T one : all) {
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                work.on(one);
                return null;
              });
      tasks.add(task);
      threads.execute(task);
    }
    FirstFailure failure = new FirstFailure();
    for (FutureTask<Void> task : tasks) {
      await(task, failure);
    }
    failure.rethrow();
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
