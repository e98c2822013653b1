// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/** What can be renamed, and what a rename may replace. */
public final class RenameRules {

  private RenameRules() {}

  /** The entry that is to be renamed; fails if there is none. */
  public static Entry requireSource(FsPath source, DirectoryView view) throws IOException {
    return (view.isOpen() ? view.entry(source.name()) : Optional.<Entry>empty())
        .orElseThrow(() -> new FileNotFoundException(source + " does not exist"));
  }

  /** Fails unless an entry may replace what is at its destination. */
  public static void requireReplaceable(
      FsPath destination, Entry moved, Optional<Entry> replaced, boolean overwrite)
      throws IOException {
    if (replaced.isEmpty()) {
      return;
    }
    if (!overwrite) {
      throw new FileAlreadyExistsException("rename destination " + destination + " already exists");
    }
    if (replaced.get() instanceof Entry.OfDirectory || moved instanceof Entry.OfDirectory) {
      throw new FileAlreadyExistsException(
          "rename destination "
              + destination
              + " cannot be replaced: a file and a directory do not take each other's place");
    }
  }
}
