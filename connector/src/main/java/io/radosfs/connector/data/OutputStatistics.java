// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.MeanStatistic;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.DynamicIOStatisticsBuilder;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/**
 * The counters of a writer, by the names of Hadoop's {@link StreamStatisticNames}; a block upload
 * is the write of a stripe. Times are in milliseconds: of each upload from sending to answer
 * ({@code stream_write_block_uploads.min}, {@code .mean}, {@code .max}), of all uploads together,
 * and of their waiting for a place in the window.
 *
 * <p>Thread-safe.
 */
final class OutputStatistics {

  private static final String UPLOADS = StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS;

  private final Map<String, AtomicLong> counters = new LinkedHashMap<>();
  private final Map<String, AtomicLong> gauges = new LinkedHashMap<>();

  /** Bytes of stripes that were handed out to be sent. */
  final AtomicLong bytes = counter(StreamStatisticNames.STREAM_WRITE_BYTES);

  final AtomicLong uploads = counter(UPLOADS);
  private final AtomicLong committed =
      counter(StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS_COMMITTED);

  /** Uploads that were never sent. */
  private final AtomicLong aborted =
      counter(StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS_ABORTED);

  /** Bytes of stripes that are in RADOS. */
  private final AtomicLong storedBytes = counter(StreamStatisticNames.STREAM_WRITE_TOTAL_DATA);

  final AtomicLong exceptions = counter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS);
  final AtomicLong publishingExceptions =
      counter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS_COMPLETING_UPLOADS);

  private final AtomicLong waiting = gauge(StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS_PENDING);
  private final AtomicLong active = gauge(StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS_ACTIVE);
  private final AtomicLong bytesUnanswered =
      gauge(StreamStatisticNames.STREAM_WRITE_BLOCK_UPLOADS_BYTES_PENDING);

  private long answers;
  private long nanos;
  private long shortest = Long.MAX_VALUE;
  private long longest;
  private long queuedNanos;

  private AtomicLong counter(String name) {
    AtomicLong counter = new AtomicLong();
    counters.put(name, counter);
    return counter;
  }

  private AtomicLong gauge(String name) {
    AtomicLong gauge = new AtomicLong();
    gauges.put(name, gauge);
    return gauge;
  }

  /** One upload under way. */
  final class Upload {
    private final int size;
    private final long queued = System.nanoTime();
    private long sent;

    private Upload(int size) {
      this.size = size;
    }

    void sent() {
      sent = System.nanoTime();
      waiting.decrementAndGet();
      active.incrementAndGet();
    }

    /** It was not sent, and will not be. */
    void aborted() {
      bytesUnanswered.addAndGet(-size);
      waiting.decrementAndGet();
      aborted.incrementAndGet();
    }

    void answered() {
      bytesUnanswered.addAndGet(-size);
      active.decrementAndGet();
      time(sent - queued, System.nanoTime() - sent);
    }
  }

  /** A stripe is in RADOS, however many uploads it took. */
  void stored(int size) {
    committed.incrementAndGet();
    storedBytes.addAndGet(size);
  }

  /** Begins an upload, which first waits for its turn. */
  Upload upload(int size) {
    waiting.incrementAndGet();
    bytesUnanswered.addAndGet(size);
    return new Upload(size);
  }

  private synchronized void time(long inQueue, long underWay) {
    answers++;
    queuedNanos += inQueue;
    nanos += underWay;
    shortest = Math.min(shortest, underWay);
    longest = Math.max(longest, underWay);
  }

  private static long millis(long nanoseconds) {
    return TimeUnit.NANOSECONDS.toMillis(nanoseconds);
  }

  private synchronized long total() {
    return millis(nanos);
  }

  private synchronized long queue() {
    return millis(queuedNanos);
  }

  private synchronized long min() {
    return answers == 0 ? IOStatistics.MIN_UNSET_VALUE : millis(shortest);
  }

  private synchronized long max() {
    return answers == 0 ? IOStatistics.MAX_UNSET_VALUE : millis(longest);
  }

  private synchronized MeanStatistic mean() {
    return new MeanStatistic(answers, millis(nanos));
  }

  /** Returns a live view of all statistics. */
  IOStatistics view() {
    DynamicIOStatisticsBuilder builder = IOStatisticsBinding.dynamicIOStatistics();
    counters.forEach(builder::withAtomicLongCounter);
    gauges.forEach(builder::withAtomicLongGauge);
    return builder
        .withLongFunctionCounter(StreamStatisticNames.STREAM_WRITE_TOTAL_TIME, name -> total())
        .withLongFunctionCounter(StreamStatisticNames.STREAM_WRITE_QUEUE_DURATION, name -> queue())
        .withLongFunctionMinimum(UPLOADS + StoreStatisticNames.SUFFIX_MIN, name -> min())
        .withLongFunctionMaximum(UPLOADS + StoreStatisticNames.SUFFIX_MAX, name -> max())
        .withMeanStatisticFunction(UPLOADS + StoreStatisticNames.SUFFIX_MEAN, name -> mean())
        .build();
  }
}
