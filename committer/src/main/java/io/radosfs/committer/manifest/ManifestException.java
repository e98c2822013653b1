// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import java.io.IOException;

/** A manifest or plan in a job's record is not what this version can read. Nothing was changed. */
public class ManifestException extends IOException {

  private static final long serialVersionUID = 1L;

  public ManifestException(String message, Throwable cause) {
    super(message, cause);
  }
}
