package io.radosfs.committer.stages;

import java.util.Locale;

/** What a job does about files that its destination holds already. */
public enum ConflictMode {
  /** Adds to them; a file of the same name fails the job. */
  APPEND,
  /** Fails when there are any, when it starts and when it commits. */
  FAIL,
  /** Replaces them all, at its commit. */
  REPLACE;

  /**
   * Reads a setting's value.
   *
   * @param setting for the error
   */
  public static ConflictMode parse(String setting, String value) {
    for (ConflictMode mode : values()) {
      if (mode.name().equalsIgnoreCase(value.trim())) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        setting + " is '" + value + "'; it can be append, fail or replace");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
