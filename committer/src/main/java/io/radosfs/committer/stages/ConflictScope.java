// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import java.util.Locale;

/** Where a job looks for existing files for {@link ConflictMode}. */
public enum ConflictScope {
  /** In the whole destination. */
  DIRECTORY,
  /** In each directory below the destination that gets files. */
  PARTITION;

  /**
   * Reads the text of a setting.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  public static ConflictScope parse(String text) {
    for (ConflictScope scope : values()) {
      if (scope.name().equalsIgnoreCase(text)) {
        return scope;
      }
    }
    throw new IllegalArgumentException("directory or partition");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
