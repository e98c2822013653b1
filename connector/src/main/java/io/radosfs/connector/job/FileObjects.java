// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.Collection;

/** The objects of files, as far as jobs deal with them. Thread-safe. */
public interface FileObjects {

  /**
   * Names this instance, at random. Operations of one instance on one object keep their order, so
   * that what it removes stays removed, even where one of its writes was never answered.
   */
  String instance();

  /**
   * A new file of a job for this path: a new uid, and the object size and data pool that its
   * directory has, or will have. Costs what {@link JobLayouts#of} does.
   */
  FileData newFile(FsPath path, String jobId) throws IOException;

  /** The layout that a file was written with. No cost. */
  DataLayout layoutOf(FileData file);

  /**
   * Writes a file of one stripe: its first stripe, under the plain name if the file says so and
   * that is free or this file's already, else under the name with the uid. May be repeated with the
   * same file and content. One operation; one or two more where the name is taken.
   *
   * @param content more than the file's object size makes that larger
   * @return the file with its length, and the name that the stripe has
   */
  FileData write(FileData file, byte[] content) throws IOException;

  /**
   * Checks that the objects of closed files are what their entries say: of each the first stripe
   * with its uid, and the last one, with their sizes; or all stripes, read and compared with the
   * checksum. One operation for each stripe looked at, many at a time.
   *
   * @param content whether to read everything
   * @throws org.apache.hadoop.fs.PathIOException naming the first file that is not, and its object
   */
  void check(Collection<Entry.OfFile> files, boolean content) throws IOException;

  /** The content of a file of one stripe. One operation. */
  byte[] read(FileData file) throws IOException;

  /**
   * Removes closed files. May be repeated; never touches a newer file of the same name. One
   * operation a stripe. A failure does not keep the other files from being removed.
   */
  void remove(Collection<FileData> files) throws IOException;

  /**
   * Removes what there is of a file that was not closed. May be repeated; never touches a newer
   * file of the same name.
   *
   * @param window how many stripes may be under way at a time
   */
  void removeUnfinished(FileData begun, int window) throws IOException;
}
