// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/** What can be renamed, and what a rename may replace. */
public final class RenameRules {

  private RenameRules() {}

  /** What a rename may replace at its destination. */
  public enum Replaces {
    NOTHING,
    /** If what is renamed is a file. */
    FILE,
    /** It was removed before, for a directory to take its place, and nothing else. */
    REMOVED_DIRECTORY
  }

  /** The entry that is to be renamed; fails if there is none. */
  public static Entry requireSource(FsPath source, DirectoryView view) throws IOException {
    return (view.isOpen() ? view.entry(source.name()) : Optional.<Entry>empty())
        .orElseThrow(() -> new FileNotFoundException(source + " does not exist"));
  }

  /** Fails if what is renamed may not take the place of what was removed for it. */
  static void requireSuccessor(FsPath source, Entry moved, Replaces replaces)
      throws PathIOException {
    if (replaces == Replaces.REMOVED_DIRECTORY && !(moved instanceof Entry.OfDirectory)) {
      throw new PathIOException(source.toString(), "was a directory, and is a file by now");
    }
  }

  /** Fails unless an entry may replace what is at its destination. */
  public static void requireReplaceable(
      FsPath destination, Entry moved, Optional<Entry> replaced, Replaces replaces)
      throws IOException {
    if (replaced.isEmpty()) {
      return;
    }
    if (replaces != Replaces.FILE) {
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
