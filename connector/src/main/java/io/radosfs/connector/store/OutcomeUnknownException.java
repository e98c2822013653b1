// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * A change that may have taken effect, and whose outcome could not be looked up. The caller neither
 * repeats nor undoes anything that the change concerns.
 */
public class OutcomeUnknownException extends IOException {

  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Whether the wait for an answer took all its time. If so, a retry as after a lost race would
   * take as long again each time.
   */
  public boolean hasWaitedInFull() {
    return Failures.hasWaitedInFull(getCause());
  }

  /** The same, as {@link StoreException#about}. */
  OutcomeUnknownException about(Object subject) {
    OutcomeUnknownException unknown =
        new OutcomeUnknownException(subject + ": " + getMessage(), getCause());
    unknown.addSuppressed(this);
    return unknown;
  }

  /**
   * Returns the exception for a call that went on after this one, to look whether the change is
   * made, and then failed.
   *
   * @param later the failure of the call
   * @return {@code later}, if it is an OutcomeUnknownException too or an interrupt, which has a
   *     contract of its own; otherwise a copy of this with {@code later} suppressed
   */
  public IOException endedBy(IOException later) {
    if (later instanceof OutcomeUnknownException || later instanceof InterruptedIOException) {
      if (later != this) {
        later.addSuppressed(this);
      }
      return later;
    }
    OutcomeUnknownException unknown = new OutcomeUnknownException(getMessage(), getCause());
    unknown.addSuppressed(later);
    return unknown;
  }
}
