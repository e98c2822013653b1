// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import org.apache.spark.executor.TaskMetrics;

/**
 * What tasks shuffled and spilled, in bytes, as Spark counts them.
 *
 * @param spilledMemory what it took in memory
 * @param spilledDisk what it took on the disk
 */
public record ShuffleBytes(long written, long read, long spilledMemory, long spilledDisk) {

  static final ShuffleBytes NONE = new ShuffleBytes(0, 0, 0, 0);

  static ShuffleBytes of(TaskMetrics metrics) {
    return new ShuffleBytes(
        metrics.shuffleWriteMetrics().bytesWritten(),
        metrics.shuffleReadMetrics().totalBytesRead(),
        metrics.memoryBytesSpilled(),
        metrics.diskBytesSpilled());
  }

  ShuffleBytes plus(ShuffleBytes other) {
    return new ShuffleBytes(
        written + other.written,
        read + other.read,
        spilledMemory + other.spilledMemory,
        spilledDisk + other.spilledDisk);
  }
}
