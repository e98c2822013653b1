// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.FileNotFoundException;

/** The error of a path at which nothing is. */
final class Missing {

  private Missing() {}

  static FileNotFoundException at(Location location) {
    return new FileNotFoundException("no such file or directory: " + location);
  }

  static FileNotFoundException at(Location location, FileNotFoundException cause) {
    FileNotFoundException error = at(location);
    error.initCause(cause);
    return error;
  }
}
