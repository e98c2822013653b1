// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import java.util.List;
import java.util.Locale;

/**
 * How much memory Spark may use in a process.
 *
 * @param offHeapMib {@code spark.memory.offHeap.size}; 0 where Spark sorts and joins in the heap
 */
public record MemorySetting(int heapMib, int offHeapMib) {

  private static final int LARGE = 4096;
  private static final int SMALL = 1024;

  /** A large heap, with which the others are compared; a small one; and two sizes beside that. */
  public static List<MemorySetting> all() {
    return List.of(
        new MemorySetting(LARGE, 0),
        new MemorySetting(SMALL, 0),
        new MemorySetting(SMALL, 512),
        new MemorySetting(SMALL, 2048));
  }

  /** A large heap and a small one. */
  public static List<MemorySetting> heaps() {
    return all().subList(0, 2);
  }

  /** Short, as it is part of the name of each figure. */
  public String title() {
    String heap = "heap " + size(heapMib);
    return offHeapMib == 0 ? heap : heap + ", off-heap " + size(offHeapMib);
  }

  private static String size(int mib) {
    return mib % 1024 == 0
        ? String.format(Locale.ROOT, "%d GiB", mib / 1024)
        : String.format(Locale.ROOT, "%d MiB", mib);
  }

  /** For java, of which Spark takes what begins with {@code spark.} as settings. */
  public List<String> options() {
    String heap = "-Xmx" + heapMib + "m";
    return offHeapMib == 0
        ? List.of(heap)
        : List.of(
            heap,
            "-Dspark.memory.offHeap.enabled=true",
            "-Dspark.memory.offHeap.size=" + offHeapMib + "m");
  }
}
