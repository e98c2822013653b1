// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * A change that may have taken effect, and that could not be looked up again. What it concerns is
 * neither repeated nor undone.
 */
public class OutcomeUnknownException extends IOException {

  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Whether all the time was waited that there is for an answer: to look and try again, as one does
   * where others were faster, would take as long once more, and again.
   */
  public boolean hasWaitedInFull() {
    return getCause() instanceof StoreException lost
        && lost.isUnanswered()
        && !lost.isWorthRepeating();
  }

  /**
   * What a call ends with that went on after this, to look whether the change is made, and has
   * failed.
   *
   * @param later how it has failed
   * @return {@code later} where that says itself that nobody knows, or is an interrupt, which has a
   *     contract of its own; else what this says, with {@code later} suppressed
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
