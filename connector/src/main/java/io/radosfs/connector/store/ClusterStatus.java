// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the monitors tell of a cluster, for people.
 *
 * @param health {@code HEALTH_OK}, {@code HEALTH_WARN} or {@code HEALTH_ERR}
 * @param checks why it is not OK: a sentence for each code, such as {@code MON_CLOCK_SKEW}
 * @param monitors how many there are
 * @param quorum the names of those that are up and agree
 */
public record ClusterStatus(
    String health, SortedMap<String, String> checks, int monitors, List<String> quorum) {

  public ClusterStatus(
      String health, Map<String, String> checks, int monitors, List<String> quorum) {
    this(health, new TreeMap<>(checks), monitors, List.copyOf(quorum));
  }
}
