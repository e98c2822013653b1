// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

/** What to tell a user of a failure. */
final class DemoFailures {

  private DemoFailures() {}

  /** The message of the first cause: Spark wraps it several times. */
  static String message(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
