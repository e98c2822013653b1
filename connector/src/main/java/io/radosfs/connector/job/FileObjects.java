// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.Collection;

/** Writes, reads, checks and removes the RADOS objects of jobs' files. Thread-safe. */
public interface FileObjects {

  /**
   * Returns the random name of this instance. Operations of one instance on one object keep their
   * order. So an object that it removes stays removed, even if a write was never answered.
   */
  String instance();

  /**
   * Returns a new file of a job for this path: with a new uid, and with the object size and data
   * pool that its directory has or will have. Costs what {@link JobLayouts#of} does.
   */
  FileData newFile(FsPath path, String jobId) throws IOException;

  /** Returns the layout that a file was written with. No RADOS operation. */
  DataLayout layoutOf(FileData file);

  /**
   * Writes a file of one stripe. The stripe gets the plain name if the file asks for it and that
   * name is free or already this file's; otherwise the name with the uid. May be repeated, also by
   * another instance, with the same file and content. The stripe says who wrote it, or that several
   * instances did. One operation; one or two more if the name is taken, and one if another instance
   * has written it.
   *
   * @param content if longer than the file's object size, the object size grows to its length
   * @return the file with its length, and the name that the stripe has
   */
  FileData write(FileData file, byte[] content) throws IOException;

  /**
   * Checks that the objects of closed files match their entries: the uid on the first stripe, and
   * the sizes of the first and the last; with {@code content}, the sizes of all stripes and the
   * checksum. One operation for each stripe checked, many at a time.
   *
   * @param content whether to read all stripes
   * @throws org.apache.hadoop.fs.PathIOException naming the first file that differs, and its object
   */
  void check(Collection<Entry.OfFile> files, boolean content) throws IOException;

  /** Reads the content of a file of one stripe. One operation. */
  byte[] read(FileData file) throws IOException;

  /**
   * Removes closed files. May be repeated; never touches a newer file of the same name. One
   * operation for each stripe. If one file fails, the others are still removed.
   */
  void remove(Collection<FileData> files) throws IOException;

  /**
   * Removes the stripe of a file, under either name, if this instance alone has written it by
   * {@link #write}. Two operations.
   */
  void removeOwn(FileData written) throws IOException;

  /**
   * Removes the stripe of a file, under either name, unless the file is in use: visible under any
   * path, or kept after it was replaced. Only for a file that nobody can publish any more. Two
   * reads if there is no stripe; else also a read of the whole index, and a removal.
   *
   * @throws IOException also if it cannot be found out whether the file is in use; nothing is
   *     removed then
   */
  void removeUnlessInUse(FileData written) throws IOException;

  /**
   * Removes the stripes of a file that was not closed. May be repeated; never touches a newer file
   * of the same name. Before it removes anything, the record notes that something was there, and of
   * a long file, how far that reaches: a write each, see {@link
   * io.radosfs.connector.data.DataRemover#removeUnfinished}.
   *
   * @param open from the record
   * @return whether any of it was there, or may have been
   */
  boolean removeUnfinished(WorkFile open, JobRecord record) throws IOException;

  /** The same for a file of one stripe that is in no record. */
  void removeUnfinished(FileData oneStripe) throws IOException;
}
