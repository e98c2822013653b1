// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.io.IOException;

/** Something stored in RADOS cannot be read by this version of radosfs. Nothing was changed. */
public class LayoutException extends IOException {

  private static final long serialVersionUID = 1L;

  public LayoutException(String message) {
    super(message);
  }

  public LayoutException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * The same, for people who know a path and not what is stored for it.
   *
   * @param subject comes first in the message
   */
  public LayoutException about(Object subject) {
    return new LayoutException(subject + ": " + getMessage(), this);
  }
}
