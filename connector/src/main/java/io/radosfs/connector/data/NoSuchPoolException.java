// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.io.IOException;

/** The cluster has no pool of the name that a file system, a layout or a file gives. */
public final class NoSuchPoolException extends IOException {

  private static final long serialVersionUID = 1L;

  public NoSuchPoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
