// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import java.util.Locale;

/** What a job does about files that its destination holds already. */
public enum ConflictMode {
  /** Adds to them; a file of the same name fails the job. */
  APPEND,
  /** Fails when there are any, when it starts (if that is known then) and when it commits. */
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
