// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What was met on the way, in one run or in many: what went wrong, and what it came to. */
final class Tally {

  private final Map<String, Integer> struck = new TreeMap<>();
  private int runs;
  private int contended;
  private int retried;
  private int disturbed;
  private int mostOps;
  private long longestWait;

  /** Something went wrong, as it was to. */
  synchronized void struck(String kind) {
    struck.merge(kind, 1, Integer::sum);
  }

  /** A call has ended, or a part of one. */
  synchronized void call(int ops, long waited) {
    mostOps = Math.max(mostOps, ops);
    longestWait = Math.max(longestWait, waited);
  }

  /**
   * A run has ended.
   *
   * @param guards that did not hold
   * @param retries of the one loop
   */
  synchronized void run(long guards, long retries) {
    runs++;
    contended += guards > 0 ? 1 : 0;
    retried += retries > 0 ? 1 : 0;
    disturbed += struck.size() > 1 ? 1 : 0;
  }

  synchronized void add(Tally other) {
    other.struck.forEach((kind, times) -> struck.merge(kind, times, Integer::sum));
    runs += other.runs;
    contended += other.contended;
    retried += other.retried;
    disturbed += other.disturbed;
    mostOps = Math.max(mostOps, other.mostOps);
    longestWait = Math.max(longestWait, other.longestWait);
  }

  /** Those of all kinds that never struck. */
  synchronized Set<String> neverStruck(Set<String> kinds) {
    Set<String> never = new TreeSet<>(kinds);
    never.removeAll(struck.keySet());
    return never;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "guards failed in %d of %d runs, retries in %d, several kinds of trouble met in %d; a call"
            + " took %d operations and waited %d ms at most; struck: %s",
        contended,
        runs,
        retried,
        disturbed,
        mostOps,
        Duration.ofNanos(longestWait).toMillis(),
        struck);
  }
}
