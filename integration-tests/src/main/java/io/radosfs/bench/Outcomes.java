// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

/** How a job ended, in a few words. */
final class Outcomes {

  private static final int LENGTH = 160;

  private Outcomes() {}

  /** The class and the first line of what lies at the bottom of an exception. */
  static String reason(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = String.valueOf(deepest.getMessage()).lines().findFirst().orElse("");
    String text = deepest.getClass().getSimpleName() + ": " + message;
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
