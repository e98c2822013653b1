// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * The layouts of directories: the pool and the object size for the data of new files. A directory
 * takes its parent's layout when it is made, and keeps it when it is renamed. A change of a layout
 * leaves existing files and directories as they are, and files that are being written.
 *
 * <p>Errors as of {@link Namespace}. Thread-safe.
 */
public interface DirectoryLayouts {

  /**
   * What new files of a directory get. One read; one more if nothing was ever in it.
   *
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   */
  DataLayout of(FsPath directory) throws IOException;

  /**
   * Gives a directory another layout, by one write to its index, guarded with the layout before. A
   * directory with shards has it in each of them: one read and one write more for each shard, or
   * one read where the shard has this layout. That is not atomic: files that are made meanwhile get
   * the layout of before or the new one.
   *
   * <p>Before that, a pool that the layout names is tried by a write probe, an object that is
   * written and removed, and registered in {@link io.radosfs.connector.superblock.DataPools}; six
   * operations. If nothing was ever in the directory, its index is made first.
   *
   * @param change may be called several times, with what another client has set meanwhile
   * @return what was set
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   * @throws IOException naming the pool, also when it does not exist, is full, or may not be
   *     written to; nothing is changed
   * @throws io.radosfs.connector.store.OutcomeUnknownException also if its answer was lost and
   *     others have set another layout since: it is not set twice; or if it failed between two
   *     shards: to set a layout again, this one or that of before, puts all of them right
   */
  DataLayout change(FsPath directory, UnaryOperator<DataLayout> change) throws IOException;

  /**
   * What new files get in a directory that exists, or will be made: the layout of the nearest one
   * that exists. One read, and two more for each level without an index.
   */
  DataLayout inherited(FsPath directory) throws IOException;
}
