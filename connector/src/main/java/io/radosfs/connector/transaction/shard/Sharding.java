// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.shard;

/**
 * When the names of a directory are spread over several objects, and over how many.
 *
 * @param threshold names that the head object of a directory may hold before it is split
 * @param shards objects that the names are then spread over, at least 2
 */
public record Sharding(int threshold, int shards) {

  /** A client counts a directory after it has added the threshold divided by this. */
  private static final int COUNTED = 32;

  public Sharding {
    if (threshold < 1 || shards < 2) {
      throw new IllegalArgumentException(threshold + " names, " + shards + " shards");
    }
  }

  /** How many names one client adds to a directory before it counts those that are there. */
  int countedEvery() {
    return Math.max(1, threshold / COUNTED);
  }
}
