// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import io.radosfs.connector.metrics.ProcessMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;

/** What this process, and the page cache of its machine, have in use now. */
public final class ProcessMemory implements Supplier<Map<MemoryKind, Long>> {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  private final BufferPoolMXBean direct;
  private final LongSupplier sparkOffHeap;

  /**
   * Reads the memory of this process.
   *
   * @param sparkOffHeap bytes that Spark uses outside of the heap
   */
  public ProcessMemory(LongSupplier sparkOffHeap) {
    this.direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    this.sparkOffHeap = sparkOffHeap;
  }

  @Override
  public Map<MemoryKind, Long> get() {
    Map<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    bytes.put(MemoryKind.HEAP, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    bytes.put(MemoryKind.SPARK_OFF_HEAP, sparkOffHeap.getAsLong());
    bytes.put(MemoryKind.DIRECT_BUFFERS, direct.getMemoryUsed());
    bytes.put(
        MemoryKind.STREAM_BUFFERS,
        ofRadosfs("rados_buffers_in_use") + ofRadosfs("rados_buffers_kept"));
    try {
      bytes.put(MemoryKind.RESIDENT, field(Files.readString(STATUS), "VmRSS"));
      bytes.put(MemoryKind.PAGE_CACHE, field(Files.readString(MEMORY), "Cached"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  /** Of the process's metrics; 0 where nothing of radosfs has been used yet. */
  private static long ofRadosfs(String metric) {
    StorageStatistics metrics = GlobalStorageStatistics.INSTANCE.get(ProcessMetrics.NAME);
    Long value = metrics == null ? null : metrics.getLong(metric);
    return value == null ? 0 : value;
  }

  /** The bytes of a line {@code name: 123 kB}, as files of Linux have it. */
  static long field(String text, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":\\s+(\\d+) kB$").matcher(text);
    if (!line.find()) {
      throw new IllegalArgumentException("no line of " + name + " in kB: " + text);
    }
    return Long.parseLong(line.group(1)) << 10;
  }
}
