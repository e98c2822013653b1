// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

/**
 * What a reader says beforehand about how it is going to read. It decides what is read ahead, and
 * has no effect on the bytes that the reader gets.
 *
 * @param aheadEnd the end of the part that the reader is going to read: nothing is read ahead at or
 *     beyond this position of the file
 */
public record ReadPlan(Policy policy, long aheadEnd) {

  /** The order in which a reader is going to read. */
  public enum Policy {
    /** Unknown: sequential reading is detected, and then more and more is read ahead. */
    ADAPTIVE,
    /** From one place to the end: whole stripes and the whole window are read ahead at once. */
    SEQUENTIAL,
    /** At random places: nothing is read ahead of the current chunk. */
    RANDOM
  }

  public ReadPlan {
    if (aheadEnd < 0) {
      throw new IllegalArgumentException("end " + aheadEnd);
    }
  }

  /** The plan of a reader that says nothing. */
  public static ReadPlan unknown() {
    return new ReadPlan(Policy.ADAPTIVE, Long.MAX_VALUE);
  }
}
