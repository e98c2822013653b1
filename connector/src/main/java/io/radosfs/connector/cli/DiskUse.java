// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;

/** What is at a path and below it. */
final class DiskUse {

  private long bytes;
  private long files;
  private long directories;
  private long objects;

  /**
   * Adds a file, or a directory without what is in it.
   *
   * @param top of what is summed up, which is not counted as a directory of its own
   */
  void add(Namespace.Child child, FsPath top) {
    if (child.entry() instanceof Entry.OfFile file) {
      files++;
      bytes += file.data().length();
      objects += file.data().stripes();
    } else if (!child.path().equals(top)) {
      directories++;
    }
  }

  /** A line of a table. The first columns have fixed widths. */
  static String line(Object size, Object files, Object directories, Object objects, Object uri) {
    return String.format("%12s %12s %12s %12s  %s", size, files, directories, objects, uri);
  }

  String line(Location location, FsPath path, Sizes sizes) {
    return line(sizes.text(bytes), files, directories, objects, location.of(path));
  }

  Fields fields(Location location, FsPath path) {
    return new Fields()
        .with("uri", location.of(path))
        .with("path", path.toString())
        .with("bytes", bytes)
        .with("files", files)
        .with("directories", directories)
        .with("objects", objects);
  }
}
