// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * The layouts of directories: in which pool, and in objects of what size, the data of new files is
 * kept. A directory takes its parent's when it is made, and keeps it when it is renamed; files and
 * directories that are there already stay as they are when a layout changes, and so do files that
 * are being written.
 *
 * <p>Errors as of {@link Namespace}. Thread-safe.
 */
public interface DirectoryLayouts {

  /**
   * What new files of a directory get. One read, two more where nothing was ever in it.
   *
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   */
  DataLayout of(FsPath directory) throws IOException;

  /**
   * Gives a directory another layout, by one write to its index, guarded with the layout before.
   *
   * <p>Before that, a pool that the layout names is tried by a write probe, an object that is
   * written and removed, and written down in {@link io.radosfs.connector.superblock.DataPools}; six
   * operations. Where nothing was ever in the directory its index is made first; if it is removed
   * or renamed at that very moment, it may be there again, empty.
   *
   * @param change may be asked several times, with what another client has set meanwhile
   * @return what was set
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   * @throws IOException naming the pool, also when it does not exist, is full, or may not be
   *     written to; nothing is changed
   */
  DataLayout change(FsPath directory, UnaryOperator<DataLayout> change) throws IOException;

  /**
   * What new files of a directory will get that is there, or will be made: the layout of the
   * nearest one that is. One read where it has an index, else two more for each level that has
   * none.
   */
  DataLayout inherited(FsPath directory) throws IOException;
}
