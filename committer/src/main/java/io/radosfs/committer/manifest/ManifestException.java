// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import java.io.IOException;

/** Thrown if this version cannot read a manifest or plan in a job's record. Nothing was changed. */
public class ManifestException extends IOException {

  private static final long serialVersionUID = 1L;

  public ManifestException(String message, Throwable cause) {
    super(message, cause);
  }
}
