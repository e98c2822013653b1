// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.RadosStatistic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.statistics.IOStatistics;

/**
 * What all file systems of the process have counted together, those that are closed included: among
 * Hadoop's {@link GlobalStorageStatistics}, by the name {@value RadosStatistic#OF_PROCESS}.
 * Thread-safe.
 */
final class ProcessStatistics extends StorageStatistics {

  private final Set<IOStatistics> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, Long> ended = new TreeMap<>();

  ProcessStatistics() {
    super(RadosStatistic.OF_PROCESS);
  }

  /** Those of this process. */
  static ProcessStatistics get() {
    // Another class loader's class of this name counts for itself.
    return GlobalStorageStatistics.INSTANCE.put(RadosStatistic.OF_PROCESS, ProcessStatistics::new)
            instanceof ProcessStatistics own
        ? own
        : new ProcessStatistics();
  }

  /** From now on, these count too. */
  synchronized void add(IOStatistics statistics) {
    open.add(statistics);
  }

  /** What these have counted stays; what they count from now on does not. */
  synchronized void end(IOStatistics statistics) {
    if (open.remove(statistics)) {
      sum(ended, statistics);
    }
  }

  private static void sum(Map<String, Long> sums, IOStatistics statistics) {
    statistics.counters().forEach((name, count) -> sums.merge(name, count, Long::sum));
  }

  private synchronized Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>(ended);
    open.forEach(statistics -> sum(sums, statistics));
    return sums;
  }

  @Override
  public String getScheme() {
    return "rados";
  }

  @Override
  public Iterator<LongStatistic> getLongStatistics() {
    List<LongStatistic> all = new ArrayList<>();
    sums().forEach((name, count) -> all.add(new LongStatistic(name, count)));
    return all.iterator();
  }

  @Override
  public Long getLong(String key) {
    return sums().get(key);
  }

  @Override
  public boolean isTracked(String key) {
    return sums().containsKey(key);
  }

  /** Sets the sums to zero, and leaves the counts of each file system as they are. */
  @Override
  public synchronized void reset() {
    Map<String, Long> sums = new TreeMap<>();
    open.forEach(statistics -> sum(sums, statistics));
    ended.clear();
    sums.forEach((name, count) -> ended.put(name, -count));
  }
}
