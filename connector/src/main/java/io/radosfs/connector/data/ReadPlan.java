// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

/**
 * What a reader says beforehand of how it is going to read. It decides what is asked for ahead,
 * never what is read.
 *
 * @param aheadEnd nothing is asked for ahead at or beyond this position of the file, where the part
 *     that the reader is to read ends
 */
public record ReadPlan(Policy policy, long aheadEnd) {

  /** How reading will go. */
  public enum Policy {
    /** Not known: reading in sequence is found out, and asked ahead for more and more. */
    ADAPTIVE,
    /** From a place on to the end: whole stripes and the whole window are asked for at once. */
    SEQUENTIAL,
    /** Here and there: nothing is asked for ahead of the chunk that is read. */
    RANDOM
  }

  public ReadPlan {
    if (aheadEnd < 0) {
      throw new IllegalArgumentException("end " + aheadEnd);
    }
  }

  /** Of a reader that says nothing. */
  public static ReadPlan unknown() {
    return new ReadPlan(Policy.ADAPTIVE, Long.MAX_VALUE);
  }
}
