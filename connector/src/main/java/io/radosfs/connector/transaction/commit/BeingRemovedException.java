// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.Map;

/**
 * Directories that a transaction was to lock are being removed: their indexes are closing, and
 * their entries are held by the transaction itself, which has locked the directory above or has an
 * intent on the name. So the removals cannot end before the transaction does.
 */
public final class BeingRemovedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Map<FsPath, Uid> directories;

  /**
   * @param directories one or more, with their uids as in the closing heads of their indexes
   */
  BeingRemovedException(Map<FsPath, Uid> directories) {
    super(
        "directory "
            + directories.keySet().iterator().next()
            + (directories.size() == 1 ? " is" : " and " + (directories.size() - 1) + " more are")
            + " being removed");
    this.directories = directories;
  }

  Map<FsPath, Uid> directories() {
    return directories;
  }
}
