// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.Failures;
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
 * every free thread of the pool, so no thread waits while work is left. If no thread is free, as
 * within work on a directory, the caller does everything. After an interrupt of the caller nothing
 * more is begun; work under way in other threads is waited for, as each directory's work has its
 * own bound. Thread-safe.
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
    Queue<FutureTask<Void>> left = new ConcurrentLinkedQueue<>();
    for (T one : all) {
      tasks.add(
          new FutureTask<>(
              () -> {
                onOne(one, work, left);
                return null;
              }));
    }
    left.addAll(tasks);
    int helping = 0;
    while (helping < tasks.size() - 1 && isHelped(left)) {
      helping++;
    }
    FirstFailure failure = new FirstFailure();
    FutureTask<Void> task;
    while (!Thread.currentThread().isInterrupted() && (task = left.poll()) != null) {
      task.run();
      // Threads that were busy elsewhere may be free now.
      if (helping < tasks.size() - 1 && !left.isEmpty() && isHelped(left)) {
        helping++;
      }
    }
    awaitAll(tasks, left, failure);
    failure.rethrow();
  }

  /** Works on one. If RADOS does not answer that in all its time, nothing more is begun. */
  private static <T> void onOne(T one, Work<T> work, Queue<FutureTask<Void>> left)
      throws IOException {
    try {
      work.on(one);
    } catch (IOException e) {
      if (Failures.hasWaitedInFull(e)) {
        boolean unused = giveUp(left);
      }
      throw e;
    }
  }

  /**
   * Has a thread take the rest, one after another; returns false if none is free, or the system
   * makes no more (which must not end the loop while other threads go on with its work).
   */
  private boolean isHelped(Queue<FutureTask<Void>> left) {
    try {
      return helpers.run(
          () -> {
            for (FutureTask<Void> task = left.poll(); task != null; task = left.poll()) {
              task.run();
            }
          });
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * Waits until nothing is under way. If the thread is or gets interrupted, nothing more is begun;
   * it stays interrupted.
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

  /** Keeps the rest from being begun; returns whether there was any. */
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
