// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

/** What memory is used for. Some contain others: what is resident has all of them but the last. */
public enum MemoryKind {
  /** With what the garbage collector has not found yet. */
  HEAP("heap in use"),

  /** That of {@code spark.memory.offHeap.size}. */
  SPARK_OFF_HEAP("Spark's off-heap memory"),

  DIRECT_BUFFERS("direct buffers"),

  /** Those in use, with librados' copies of them, and those kept: for the most direct buffers. */
  STREAM_BUFFERS("buffers of radosfs"),

  RESIDENT("resident"),

  /** Of the whole machine, and so of the OSDs on it too. */
  PAGE_CACHE("page cache");

  private final String title;

  MemoryKind(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
