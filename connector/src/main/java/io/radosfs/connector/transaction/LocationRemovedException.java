// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import org.apache.hadoop.fs.PathIOException;

/**
 * A directory outside of the coordinator's was removed or renamed by others after a transaction had
 * made sure of it, and before that had prepared anything there. Nothing is decided: to commit again
 * makes the directory again, empty.
 */
public final class LocationRemovedException extends PathIOException {

  private static final long serialVersionUID = 1L;

  public LocationRemovedException(FsPath directory) {
    super(
        directory.toString(),
        "was removed or replaced by others since it was looked at; try again");
  }
}
