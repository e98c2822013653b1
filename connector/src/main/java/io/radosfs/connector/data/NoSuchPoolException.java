// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.io.IOException;

/** A pool that a file system, a layout or a file names is not in the cluster. */
public final class NoSuchPoolException extends IOException {

  private static final long serialVersionUID = 1L;

  public NoSuchPoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
