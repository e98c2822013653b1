// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

/**
 * What an examination has found of one thing that a job needs.
 *
 * @param subject what was looked at
 * @param detail what was found, or what is wrong and what to do about it
 */
public record Diagnosis(String subject, Result result, String detail) {

  /** Whether it is as a job needs it. */
  public enum Result {
    OK,
    /** It works, and may fail later, or is not what one wants. */
    WARNING,
    FAILED
  }
}
