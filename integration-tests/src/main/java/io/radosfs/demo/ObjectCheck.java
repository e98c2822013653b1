// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import io.radosfs.workbench.OsdCounters;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files below a directory beside the objects that RADOS holds for it.
 *
 * @param prefix what the names of all objects of the directory begin with
 * @param files the objects that the files should have as their first
 * @param data the objects that are there as somebody's first
 * @param objects all objects of the directory: first and further stripes, indexes, job records
 * @param earlier objects that were there before and are no file's: of files replaced a moment ago,
 *     or left by a process that was killed
 * @param bytes what the files hold
 */
record ObjectCheck(
    String prefix,
    TreeSet<String> files,
    TreeSet<String> data,
    List<String> objects,
    TreeSet<String> earlier,
    long bytes) {

  /** What may be written beyond the bytes of the files, as a part of them. */
  private static final double OVERHEAD = 0.02;

  /**
   * Looks at a directory.
   *
   * @param poolObjects the objects of the pool
   * @param before those of them that were there before anything was written
   */
  static ObjectCheck of(
      FileSystem fileSystem, Path directory, List<String> poolObjects, Set<String> before)
      throws IOException {
    TreeSet<String> files = new TreeSet<>();
    long bytes = 0;
    RemoteIterator<LocatedFileStatus> statuses = fileSystem.listFiles(directory, true);
    while (statuses.hasNext()) {
      LocatedFileStatus status = statuses.next();
      files.add(status.getPath().toUri().getPath().substring(1));
      bytes += status.getLen();
    }
    String prefix = directory.toUri().getPath().substring(1) + "/";
    List<String> objects = poolObjects.stream().filter(o -> o.startsWith(prefix)).toList();
    TreeSet<String> data = new TreeSet<>();
    TreeSet<String> earlier = new TreeSet<>();
    for (String object : objects) {
      Optional<String> file = file(object);
      if (file.isPresent() && !files.contains(file.get()) && before.contains(object)) {
        earlier.add(object);
      } else {
        file.ifPresent(data::add);
      }
    }
    return new ObjectCheck(prefix, files, data, objects, earlier, bytes);
  }

  /** The file, as its path was, whose first stripe an object is, if it is one. */
  private static Optional<String> file(String object) {
    // Where the name was taken, as that of an overwritten _SUCCESS is, the uid is added to it.
    int taken = object.indexOf("//~");
    if (taken > 0) {
      return Optional.of(object.substring(0, taken));
    }
    boolean isOther = object.endsWith("/") || object.contains("//");
    return isOther ? Optional.empty() : Optional.of(object);
  }

  /** Every file is the object of its own name, and there is no other data. */
  void requireFinalNames() throws UnequalException {
    TreeSet<String> missing = new TreeSet<>(files);
    missing.removeAll(data);
    TreeSet<String> extra = new TreeSet<>(data);
    extra.removeAll(files);
    if (!missing.isEmpty() || !extra.isEmpty()) {
      throw new UnequalException(
          "the data objects are not the files. Files without an object of their name: "
              + missing
              + "; objects that are no file: "
              + extra);
    }
  }

  /** The data that the OSDs were sent is the files once; the index is kept in omaps. */
  void requireNoCopies(OsdCounters written) throws UnequalException {
    double allowed = (1 + OVERHEAD) * bytes;
    if (written.bytesWritten() > allowed) {
      throw new UnequalException(
          String.format(
              "the OSDs were sent %,d bytes for files of %,d bytes: more than the files once",
              written.bytesWritten(), bytes));
    }
  }
}
