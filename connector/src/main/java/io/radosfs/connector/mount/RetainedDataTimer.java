// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.RetainedData;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Collects retained data that is due. The first time is when the process first retains data, as
 * earlier processes may have left theirs. The next ones are when the process's own data is due, if
 * it lives that long: the earliest first, as what others replaced, with a longer retention or a
 * clock that is ahead, is among it. The thread exists only while something is scheduled.
 */
final class RetainedDataTimer implements RetainedData.Later, AutoCloseable {

  private static final long IDLE_SECONDS = 10;
  private static final long PARTS = 16;

  private final ScheduledThreadPoolExecutor thread;
  private final LongSupplier clock;
  private final TreeSet<Long> wanted = new TreeSet<>();
  private boolean begun;
  private boolean running;
  private long scheduledFor;
  private long generation;
  private ScheduledFuture<?> scheduled;

  /**
   * @param clock milliseconds since the epoch
   */
  RetainedDataTimer(LongSupplier clock, String name) {
    this.clock = clock;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
    thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public synchronized void at(long time, LongConsumer collection) {
    if (thread.isShutdown()) {
      return;
    }
    long later = coarse(time);
    wanted.add(later);
    long next = begun ? later : 0;
    begun = true;
    if (!running && (scheduled == null || next < scheduledFor)) {
      schedule(next, collection);
    }
  }

  /**
   * A time at most a sixteenth of the wait later, so that few are remembered, and one run serves
   * what becomes due in that time.
   */
  private long coarse(long time) {
    long step = Long.highestOneBit(Math.max(1, (time - clock.getAsLong()) / PARTS));
    return Math.floorDiv(time - 1, step) * step + step;
  }

  private void schedule(long time, LongConsumer collection) {
    if (scheduled != null) {
      scheduled.cancel(false);
    }
    scheduledFor = time;
    long delay = Math.max(0, time - clock.getAsLong());
    long own = ++generation;
    scheduled = thread.schedule(() -> run(own, collection), delay, TimeUnit.MILLISECONDS);
  }

  /** Returns whether it is still the one that is scheduled: it may have been about to begin. */
  private synchronized boolean begins(long own) {
    running |= own == generation;
    return own == generation;
  }

  private void run(long own, LongConsumer collection) {
    if (!begins(own)) {
      return;
    }
    long now = clock.getAsLong();
    try {
      collection.accept(now);
    } finally {
      again(now, collection);
    }
  }

  /** Schedules what was retained meanwhile, which is due later. */
  private synchronized void again(long collected, LongConsumer collection) {
    running = false;
    scheduled = null;
    wanted.headSet(collected, /* inclusive= */ true).clear();
    if (!wanted.isEmpty() && !thread.isShutdown()) {
      schedule(wanted.first(), collection);
    }
  }

  /** The times at which something is still to be collected. */
  synchronized List<Long> pending() {
    return List.copyOf(wanted);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
