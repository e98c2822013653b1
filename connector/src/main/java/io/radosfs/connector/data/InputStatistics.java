// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.DynamicIOStatisticsBuilder;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/**
 * The counters of a reader, by the names of Hadoop's {@link StreamStatisticNames}. A read operation
 * is a call that reads into a buffer, or from a position, and not a single-byte read. Discarded
 * bytes were read ahead from RADOS, but the caller did not read them before a seek, {@code
 * unbuffer} or the end.
 *
 * <p>Thread-safe.
 */
final class InputStatistics {

  private final Map<String, AtomicLong> counters = new LinkedHashMap<>();

  final AtomicLong opened = counter(StreamStatisticNames.STREAM_READ_OPENED);
  final AtomicLong closeCalls = counter(StreamStatisticNames.STREAM_READ_CLOSE_OPERATIONS);
  final AtomicLong closed = counter(StreamStatisticNames.STREAM_READ_CLOSED);
  final AtomicLong unbuffered = counter(StreamStatisticNames.STREAM_READ_UNBUFFERED);
  final AtomicLong exceptions = counter(StreamStatisticNames.STREAM_READ_EXCEPTIONS);

  final AtomicLong reads = counter(StreamStatisticNames.STREAM_READ_OPERATIONS);
  final AtomicLong incompleteReads =
      counter(StreamStatisticNames.STREAM_READ_OPERATIONS_INCOMPLETE);
  final AtomicLong fullReads = counter(StreamStatisticNames.STREAM_READ_FULLY_OPERATIONS);

  /** All bytes requested from RADOS, whether or not the caller read them. */
  final AtomicLong totalBytes = counter(StreamStatisticNames.STREAM_READ_TOTAL_BYTES);

  final AtomicLong prefetches = counter(StreamStatisticNames.STREAM_READ_PREFETCH_OPERATIONS);
  final AtomicLong discardedByClose =
      counter(StreamStatisticNames.STREAM_READ_BYTES_DISCARDED_CLOSE);
  final AtomicLong discardedBySeek = counter(StreamStatisticNames.STREAM_READ_SEEK_BYTES_DISCARDED);

  final AtomicLong seeks = counter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS);
  final AtomicLong seeksForward = counter(StreamStatisticNames.STREAM_READ_SEEK_FORWARD_OPERATIONS);
  final AtomicLong seeksBackward =
      counter(StreamStatisticNames.STREAM_READ_SEEK_BACKWARD_OPERATIONS);
  final AtomicLong bytesForward = counter(StreamStatisticNames.STREAM_READ_SEEK_BYTES_SKIPPED);
  final AtomicLong bytesBackward = counter(StreamStatisticNames.STREAM_READ_SEEK_BYTES_BACKWARDS);
  final AtomicLong skips = counter(StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS);
  final AtomicLong bytesSkipped = counter(StreamStatisticNames.STREAM_READ_SKIP_BYTES);

  final AtomicLong vectoredReads = counter(StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS);
  final AtomicLong vectoredRanges =
      counter(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES);

  /** One for each RADOS operation: one operation reads all that is wanted of one object. */
  final AtomicLong vectoredOperations =
      counter(StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES);

  private AtomicLong counter(String name) {
    AtomicLong counter = new AtomicLong();
    counters.put(name, counter);
    return counter;
  }

  /** Counts a move of the position, unless it stays where it is. */
  void seek(long from, long to) {
    if (to > from) {
      seeks.incrementAndGet();
      seeksForward.incrementAndGet();
      bytesForward.addAndGet(to - from);
    } else if (to < from) {
      seeks.incrementAndGet();
      seeksBackward.incrementAndGet();
      bytesBackward.addAndGet(from - to);
    }
  }

  /** Counts a call that wanted and got so many bytes; -1 for the end. */
  void read(int wanted, int got) {
    reads.incrementAndGet();
    if (got < wanted) {
      incompleteReads.incrementAndGet();
    }
  }

  /**
   * Returns a live view of all counters.
   *
   * @param bytesRead the bytes that callers have got
   */
  IOStatistics view(LongSupplier bytesRead) {
    DynamicIOStatisticsBuilder builder = IOStatisticsBinding.dynamicIOStatistics();
    builder.withLongFunctionCounter(
        StreamStatisticNames.STREAM_READ_BYTES, name -> bytesRead.getAsLong());
    counters.forEach(builder::withAtomicLongCounter);
    return builder.build();
  }

  /**
   * Returns what all counters are now.
   *
   * @param bytesRead the bytes that callers have got
   */
  IOStatistics ended(long bytesRead) {
    Map<String, Long> values = new HashMap<>();
    values.put(StreamStatisticNames.STREAM_READ_BYTES, bytesRead);
    counters.forEach((name, counter) -> values.put(name, counter.get()));
    return EndedStatistics.ofCounters(values);
  }

  /** The names of the counters. */
  static Iterable<String> names() {
    return new InputStatistics().view(() -> 0).counters().keySet();
  }
}
