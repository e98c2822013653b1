// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Looks at the memory in use again and again, in a thread of its own, from {@link #start} to {@link
 * #close}, which waits for that thread. There is a sample of the beginning and one of the end.
 */
public final class MemorySampler implements AutoCloseable {

  private final Supplier<Map<MemoryKind, Long>> memory;
  private final long intervalNanos;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::sample, "memory-sampler");

  /** The thread's own, until it has ended. */
  private final List<MemorySample> samples = new ArrayList<>();

  private RuntimeException failure;

  private MemorySampler(Supplier<Map<MemoryKind, Long>> memory, Duration interval) {
    this.memory = memory;
    this.intervalNanos = interval.toNanos();
  }

  /**
   * Begins.
   *
   * @param memory is asked each time, in the thread
   */
  public static MemorySampler start(Supplier<Map<MemoryKind, Long>> memory, Duration interval) {
    MemorySampler sampler = new MemorySampler(memory, interval);
    sampler.thread.setDaemon(true);
    sampler.thread.start();
    return sampler;
  }

  private void sample() {
    long started = System.nanoTime();
    try {
      do {
        add(started);
      } while (!end.await(untilNext(started), TimeUnit.NANOSECONDS));
      add(started);
    } catch (InterruptedException | RuntimeException | OutOfMemoryError e) {
      failure = new IllegalStateException("the memory could not be sampled: " + e, e);
    }
  }

  private void add(long started) {
    Map<MemoryKind, Long> bytes = memory.get();
    samples.add(new MemorySample((System.nanoTime() - started) / 1e9, bytes));
  }

  /** Samples that come late do not put off those after them. */
  private long untilNext(long started) {
    return intervalNanos - (System.nanoTime() - started) % intervalNanos;
  }

  /** Ends it, and throws what the thread has failed with, if it has. */
  @Override
  public void close() {
    end.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the last sample is taken", e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** All of them, after {@link #close}. */
  public List<MemorySample> samples() {
    if (thread.isAlive()) {
      throw new IllegalStateException("samples are still being taken");
    }
    return List.copyOf(samples);
  }
}
