// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

/**
 * Checks the ids of jobs, tasks and attempts. Ids are parts of paths and keys, and of values whose
 * parts are separated by spaces.
 */
public final class JobNames {

  private JobNames() {}

  /** Whether it can be the id of a job, a task or an attempt. */
  public static boolean isValid(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(JobNames::isForbidden);
  }

  private static boolean isForbidden(int c) {
    return c == '/' || Character.isWhitespace(c) || Character.isISOControl(c);
  }

  static String check(String what, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a " + what + " id: '" + name + "'");
    }
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "a "
              + what
              + " id holds no '/', no white space and no control character: '"
              + name
              + "'");
    }
    return name;
  }
}
