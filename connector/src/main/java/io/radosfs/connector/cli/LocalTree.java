// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.apache.hadoop.fs.PathIOException;

/**
 * A directory of this machine that is to be copied whole. Hadoop lists what it cannot name or
 * follow as if it was not there.
 *
 * @param top its path
 */
record LocalTree(Path top) {

  /**
   * Checks that everything in it can be copied.
   *
   * @throws PathIOException naming the first child that has a name that this process cannot read,
   *     or cannot be read, or is a symbolic link to nothing or to a directory above it, or neither
   *     a file nor a directory
   */
  void requireWhole() throws IOException {
    Path unused =
        Files.walkFileTree(
            top,
            Set.of(FileVisitOption.FOLLOW_LINKS),
            Integer.MAX_VALUE,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
                  throws IOException {
                requireName(path);
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
                  throws IOException {
                requireName(path);
                if (attributes.isSymbolicLink()) {
                  throw cannotPut(
                      path,
                      "a symbolic link to nothing: remove it, or what it leads to"
                          + " is to be made");
                }
                if (attributes.isOther()) {
                  throw cannotPut(
                      path,
                      "a pipe, a socket or a device, whose content may have no end: remove it, or"
                          + " copy it by itself");
                }
                return FileVisitResult.CONTINUE;
              }

              /** The messages of some of these failures are the path alone. */
              @Override
              public FileVisitResult visitFileFailed(Path path, IOException failure)
                  throws IOException {
                throw cannotPut(
                    path,
                    failure instanceof FileSystemLoopException
                        ? "a symbolic link to a directory above it: remove it"
                        : "it cannot be read by this user (" + failure + ")");
              }
            });
  }

  private static void requireName(Path path) throws PathIOException {
    // Bytes that are no text of the process's character set are lost in it.
    if (!Path.of(path.toString()).equals(path)) {
      throw cannotPut(
          path, "a name that is no text in the locale of this process (LC_ALL): rename it");
    }
  }

  private static PathIOException cannotPut(Path path, String why) {
    return new PathIOException(path.toString(), "put: " + why + ". Nothing was copied");
  }
}
