package io.radosfs.connector.transaction;

/**
 * When the names of a directory are spread over several objects, and over how many.
 *
 * @param threshold names that the head object of a directory may hold before it is split
 * @param shards objects that the names are then spread over, at least 2
 */
public record Sharding(int threshold, int shards) {

  /** A commit that adds this part of the threshold or more to a directory counts before. */
  private static final int LARGE = 4;

  /** Names that one client adds to a directory before it counts, as a part of the threshold. */
  private static final int COUNTED = 32;

  public Sharding {
    if (threshold < 1 || shards < 2) {
      throw new IllegalArgumentException(threshold + " names, " + shards + " shards");
    }
  }

  /** Whether a change that adds so many names to a directory counts those that are there. */
  boolean isLarge(int names) {
    return names >= Math.max(1, threshold / LARGE);
  }

  /** Names that one client adds to a directory before it counts them. */
  int countedEvery() {
    return Math.max(1, threshold / COUNTED);
  }
}
