// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;

/**
 * The two renames of Hadoop, with the semantics of HDFS. Of the renames of the {@link Namespace}
 * that one tries, one takes effect at most, and it is as atomic and exclusive (I3). The look-ups
 * before and after it choose the destination or the error, or have it tried again.
 */
final class HadoopRename {

  private final Namespace namespace;
  private final Retries retries;

  HadoopRename(Namespace namespace, Retries retries) {
    this.namespace = namespace;
    this.retries = retries;
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
    return retries.run(
        "rename of " + source + " to " + destination, () -> tryToRename(source, destination));
  }

  /** Empty if what it was refused for has gone since, so that it must be tried again. */
  private Optional<Boolean> tryToRename(FsPath source, FsPath destination) throws IOException {
    if (!destination.isRoot()) {
      try {
        namespace.rename(source, destination, false);
        return Optional.of(true);
      } catch (FileNotFoundException e) {
        return Optional.of(false);
      } catch (FileAlreadyExistsException e) {
        Optional<Entry> there = namespace.lookup(destination);
        if (there.isEmpty()) {
          return Optional.empty();
        }
        if (there.get() instanceof Entry.OfFile) {
          return Optional.of(false);
        }
      }
    }
    return renameInto(source, destination);
  }

  private Optional<Boolean> renameInto(FsPath source, FsPath directory) throws IOException {
    FsPath child = directory.child(source.name());
    if (child.equals(source)) {
      return Optional.of(namespace.lookup(source).isPresent());
    }
    if (child.isAtOrBelow(source)) {
      return Optional.of(false);
    }
    try {
      namespace.rename(source, child, false);
      return Optional.of(true);
    } catch (FileAlreadyExistsException e) {
      return Optional.of(false);
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      // Where the source is there, the directory has gone since it was seen.
      return namespace.lookup(source).isPresent() ? Optional.empty() : Optional.of(false);
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
}
