package io.radosfs.connector.store;

import java.io.IOException;

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
}
