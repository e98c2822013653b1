// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;

/**
 * A directory that a transaction was to lock is being removed: its index is closing, and its entry
 * is held by the transaction itself, which has locked the directory above or has an intent on the
 * name. So the removal cannot end before the transaction does.
 */
public final class BeingRemovedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient FsPath directory;
  private final transient Uid uid;

  BeingRemovedException(FsPath directory, Uid uid) {
    super("directory " + directory + " is being removed");
    this.directory = directory;
    this.uid = uid;
  }

  FsPath directory() {
    return directory;
  }

  /** That of the directory, as in the closing head of its index. */
  Uid uid() {
    return uid;
  }
}
