// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The RADOS objects of a file or directory. */
final class RadosObjects {

  private RadosObjects() {}

  /**
   * The objects of a file, or of the index of a directory.
   *
   * @param names in the order of the objects
   */
  record Named(long count, Stream<String> names) {}

  /** The pool that they are in. */
  static String pool(Mount mount, Entry entry) {
    String index = mount.authority().pool();
    return entry instanceof Entry.OfFile file
        ? file.data().pool().or(mount.superblock()::dataPool).orElse(index)
        : index;
  }

  /** One read for a directory. */
  static Named of(Mount mount, FsPath path, Entry entry) throws IOException {
    if (entry instanceof Entry.OfFile file) {
      int stripes = file.data().stripes();
      return new Named(stripes, IntStream.range(0, stripes).mapToObj(file.data()::stripe));
    }
    List<String> index = mount.indexObjects(path);
    return new Named(index.size(), index.stream());
  }
}
