// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Works on several directories at a time. The calling thread takes one after another, and so does
 * every thread of the pool that is free: none waits while something is left to do, and where none
 * is free, as within work on a directory, the caller does it all. An interrupt of the caller keeps
 * what is left from being begun; what is under way in other threads is waited for: each directory's
 * work has a bound of its own. Thread-safe.
 */
public final class ParallelDirectories implements DirectoryLoop, AutoCloseable {

  private final Helpers helpers;

  ParallelDirectories(int parallel, String name) {
    this(new PooledHelpers(parallel, name));
  }

  public ParallelDirectories(Helpers helpers) {
    this.helpers = helpers;
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
    int helping = 0;
    while (helping < tasks.size() - 1 && isHelped(left)) {
      helping++;
    }
    FirstFailure failure = new FirstFailure();
    FutureTask<Void> task;
    while (!Thread.currentThread().isInterrupted() && (task = left.poll()) != null) {
      task.run();
      // Threads that were at another's work may be free by now.
      if (helping < tasks.size() - 1 && !left.isEmpty() && isHelped(left)) {
        helping++;
      }
    }
    awaitAll(tasks, left, failure);
    failure.rethrow();
  }

  /** Has a thread take what is left, one after another; false when none is free. */
  private boolean isHelped(Queue<FutureTask<Void>> left) {
    return helpers.run(
        () -> {
          for (FutureTask<Void> task = left.poll(); task != null; task = left.poll()) {
            task.run();
          }
        });
  }

  /**
   * Waits until nothing is under way any more. Where the thread is interrupted, before or
   * meanwhile, none of what is left is begun; it stays interrupted.
   */
  private void awaitAll(
      List<FutureTask<Void>> tasks, Queue<FutureTask<Void>> left, FirstFailure failure) {
    boolean interrupted = Thread.interrupted();
    boolean givenUp = interrupted && giveUp(left);
    for (FutureTask<Void> task : tasks) {
      boolean ended = false;
      while (!ended) {
        try {
          helpers.await(task);
          ended = true;
        } catch (CancellationException e) {
          ended = true;
        } catch (ExecutionException e) {
          failure.add(e.getCause());
          ended = true;
        } catch (InterruptedException e) {
          interrupted = true;
          givenUp |= giveUp(left);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (givenUp) {
      failure.add(new InterruptedIOException("interrupted while working on directories"));
    }
  }

  /** Sees to it that none of what is left is begun; answers whether anything was. */
  private static boolean giveUp(Queue<FutureTask<Void>> left) {
    boolean any = false;
    for (FutureTask<Void> task = left.poll(); task != null; task = left.poll()) {
      any |= task.cancel(false);
    }
    return any;
  }

  /** Lets work under way end. */
  @Override
  public void close() {
    helpers.close();
  }
}
