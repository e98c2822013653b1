// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

/** Something that the demo compares is not equal. */
final class UnequalException extends Exception {

  private static final long serialVersionUID = 1L;

  UnequalException(String message) {
    super(message);
  }
}
