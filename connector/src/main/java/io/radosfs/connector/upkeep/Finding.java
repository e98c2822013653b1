// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

/**
 * Something wrong in a pool.
 *
 * @param subject the object, or the path, concerned
 * @param detail for display
 */
public record Finding(Kind kind, String subject, String detail) {

  /** What is wrong. */
  public enum Kind {
    /** Nothing leads to an object. */
    LEAK,
    /** An object of a file is missing. */
    MISSING,
    /** An object of a file is not as long as it should be. */
    LENGTH,
    /** An object has a file's name, but holds another file's data. */
    FOREIGN,
    /** An object of a file holds other data than was written. */
    CONTENT,
    /** Two files have the same data. */
    SHARED,
    /** A stored value cannot be read. */
    UNREADABLE,
    /** A transaction holds a name or directory, but has no mark in that index object. */
    UNMARKED
  }

  @Override
  public String toString() {
    return kind + " " + subject + ": " + detail;
  }
}
