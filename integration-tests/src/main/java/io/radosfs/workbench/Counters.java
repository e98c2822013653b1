// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;

/** The counters that a file system keeps of its own operations, by name. */
public record Counters(Map<String, Long> byName) {

  /** What the file system has counted so far; empty for one that counts nothing. */
  public static Counters of(FileSystem fileSystem) {
    IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(fileSystem);
    return new Counters(
        statistics == null ? new TreeMap<>() : new TreeMap<>(statistics.counters()));
  }

  /** What was counted since an earlier state; counters that stood still are left out. */
  public Counters since(Counters earlier) {
    Map<String, Long> difference = new TreeMap<>();
    byName.forEach(
        (name, value) -> {
          long change = value - earlier.get(name);
          if (change != 0) {
            difference.put(name, change);
          }
        });
    return new Counters(difference);
  }

  /** 0 where nothing was counted. */
  public long get(String name) {
    return byName.getOrDefault(name, 0L);
  }
}
