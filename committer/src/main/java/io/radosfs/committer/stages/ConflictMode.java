// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import java.util.Locale;

/** What a job does if its destination has files already. */
public enum ConflictMode {
  /** Adds to them; a file of the same name fails the job. */
  APPEND,
  /** Fails if there are any, at its start (if that is known then) and at its commit. */
  FAIL,
  /** Replaces them all, at its commit. */
  REPLACE;

  /**
   * Reads the text of a setting.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  public static ConflictMode parse(String text) {
    for (ConflictMode mode : values()) {
      if (mode.name().equalsIgnoreCase(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("append, fail or replace");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
