// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.RetainedData;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Collects retained data that is due. The first time is when the process first retains data, as
 * earlier processes may have left theirs. The next is when the process's own data is due, if it
 * lives that long. The thread exists only while something is scheduled.
 */
final class RetainedDataTimer implements RetainedData.Later, AutoCloseable {

  private static final long IDLE_SECONDS = 10;

  private final ScheduledThreadPoolExecutor thread;
  private final LongSupplier clock;
  private boolean begun;
  private boolean scheduled;
  private long last;

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
  }

  @Override
  public synchronized void at(long time, LongConsumer collection) {
    last = Math.max(last, time);
    if (!scheduled && !thread.isShutdown()) {
      schedule(begun ? time : 0, collection);
      begun = true;
    }
  }

  private void schedule(long time, LongConsumer collection) {
    scheduled = true;
    long delay = Math.max(0, time - clock.getAsLong());
    var unused = thread.schedule(() -> run(collection), delay, TimeUnit.MILLISECONDS);
  }

  private void run(LongConsumer collection) {
    long now = clock.getAsLong();
    try {
      collection.accept(now);
    } finally {
      again(now, collection);
    }
  }

  /** Schedules what was retained meanwhile, which is due later. */
  private synchronized void again(long collected, LongConsumer collection) {
    scheduled = false;
    if (last > collected && !thread.isShutdown()) {
      schedule(last, collection);
    }
  }

  /** The time up to which something is still to be collected; empty if there is nothing. */
  synchronized OptionalLong pending() {
    return scheduled ? OptionalLong.of(last) : OptionalLong.empty();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
