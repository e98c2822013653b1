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
}
