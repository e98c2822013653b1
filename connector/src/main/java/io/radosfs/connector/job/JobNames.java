// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

/**
 * Checks the ids of jobs, tasks and attempts. Ids are parts of paths and keys, and of values whose
 * parts are separated by spaces.
 */
final class JobNames {

  private JobNames() {}

  static String check(String what, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a " + what + " id: '" + name + "'");
    }
    if (name.chars()
        .anyMatch(c -> c == '/' || Character.isWhitespace(c) || Character.isISOControl(c))) {
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
