// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Takeover;

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
        && name.chars().noneMatch(JobNames::isForbidden)
        && !isOfTakeover(name);
  }

  /** Where it is stored, it would be read as that of another job, which was taken over. */
  private static boolean isOfTakeover(String name) {
    return !Takeover.transactionOf(name).equals(name);
  }

  private static boolean isForbidden(int c) {
    return c == '/' || Character.isWhitespace(c) || Character.isISOControl(c);
  }

  static String check(String what, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a " + what + " id: '" + name + "'");
    }
    if (isOfTakeover(name)) {
      throw new IllegalArgumentException(
          "a "
              + what
              + " id does not end in '~' and 24 hexadecimal digits, as those of takeovers do: '"
              + name
              + "'");
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
