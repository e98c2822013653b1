// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/**
 * The two renames of Hadoop, with the semantics of HDFS. Both are one rename of the {@link
 * Namespace}, and as atomic and exclusive (I3). A look-up before or after it only chooses the
 * destination or the error.
 */
final class HadoopRename {

  private final Namespace namespace;

  HadoopRename(Namespace namespace) {
    this.namespace = namespace;
  }

  /**
   * {@code FileSystem.rename(src, dst)}: if the destination is a directory, the source moves into
   * it under its own name. Nothing is ever replaced.
   *
   * @return false, with nothing changed, if the source is missing, the destination exists, its
   *     parent is missing, or the source is the root or an ancestor of the destination
   */
  boolean rename(FsPath source, FsPath destination) throws IOException {
    if (source.isRoot()) {
      return false;
    }
    if (source.equals(destination)) {
      // A file stays as it is; a directory cannot be moved into itself.
      return namespace.lookup(source).filter(e -> e instanceof Entry.OfFile).isPresent();
    }
    if (destination.isAtOrBelow(source)) {
      return false;
    }
    if (!destination.isRoot()) {
      try {
        namespace.rename(source, destination, false);
        return true;
      } catch (FileNotFoundException e) {
        return false;
      } catch (FileAlreadyExistsException e) {
        if (!isDirectory(namespace.lookup(destination))) {
          return false;
        }
      }
    }
    return renameInto(source, destination);
  }

  private boolean renameInto(FsPath source, FsPath directory) throws IOException {
    FsPath child = directory.child(source.name());
    if (child.equals(source)) {
      return namespace.lookup(source).isPresent();
    }
    if (child.isAtOrBelow(source)) {
      return false;
    }
    try {
      namespace.rename(source, child, false);
      return true;
    } catch (FileNotFoundException | FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * {@code FileSystem.rename(src, dst, options)} and FileContext's: exactly to the destination;
   * throws an exception if the rename cannot be done.
   */
  void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    if (source.equals(destination) && !source.isRoot()) {
      if (namespace.lookup(source).isEmpty()) {
        throw new FileNotFoundException("rename source " + source + " does not exist");
      }
      throw new FileAlreadyExistsException(
          "The source " + source + " and destination " + destination + " are the same");
    }
    namespace.rename(source, destination, overwrite);
  }

  private static boolean isDirectory(Optional<Entry> entry) {
    return entry.filter(e -> e instanceof Entry.OfDirectory).isPresent();
  }
}
