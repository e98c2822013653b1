// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.ReadFrom;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.statistics.IOStatistics;

/**
 * The settings of a stream.
 *
 * @param window the most stripes, or chunks read ahead, that are under way at a time
 * @param bytes called with the number of bytes read or written, in the thread that uses the stream:
 *     for a writer when a buffer is sent, for a reader when it has got the bytes (single-byte reads
 *     are added up)
 * @param progress called in that thread when a buffer was sent, so that a long write counts as
 *     alive
 * @param sync what a writer does on hflush or hsync
 * @param plan how a reader is going to read
 * @param from which copies a reader reads
 * @param statistics gets a stream's statistics, once, when it is closed or aborted
 */
public record StreamSettings(
    int window,
    LongConsumer bytes,
    Runnable progress,
    SyncRequests sync,
    ReadPlan plan,
    ReadFrom from,
    Consumer<IOStatistics> statistics) {

  public static final int DEFAULT_WINDOW = 8;

  public StreamSettings {
    if (window <= 0) {
      throw new IllegalArgumentException("window " + window);
    }
  }

  public static StreamSettings defaults() {
    return new StreamSettings(
        DEFAULT_WINDOW,
        count -> {},
        () -> {},
        SyncRequests.refused(),
        ReadPlan.unknown(),
        ReadFrom.PRIMARY,
        counted -> {});
  }

  public StreamSettings withWindow(int stripes) {
    return new StreamSettings(stripes, bytes, progress, sync, plan, from, statistics);
  }

  public StreamSettings withBytes(LongConsumer consumer) {
    return new StreamSettings(window, consumer, progress, sync, plan, from, statistics);
  }

  public StreamSettings withProgress(Runnable callback) {
    return new StreamSettings(window, bytes, callback, sync, plan, from, statistics);
  }

  public StreamSettings withSync(SyncRequests requests) {
    return new StreamSettings(window, bytes, progress, requests, plan, from, statistics);
  }

  public StreamSettings withPlan(ReadPlan reading) {
    return new StreamSettings(window, bytes, progress, sync, reading, from, statistics);
  }

  public StreamSettings withFrom(ReadFrom copies) {
    return new StreamSettings(window, bytes, progress, sync, plan, copies, statistics);
  }

  public StreamSettings withStatistics(Consumer<IOStatistics> gatherer) {
    return new StreamSettings(window, bytes, progress, sync, plan, from, gatherer);
  }
}
