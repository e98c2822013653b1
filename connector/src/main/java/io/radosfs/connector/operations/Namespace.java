// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.ListingGuard;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The tree of names of one file system. Every method's effect is atomic unless it says otherwise,
 * and a reader sees a transaction that spans directories whole or not at all (I5).
 *
 * <p>Errors beyond those named: {@link io.radosfs.connector.store.StoreException} from RADOS,
 * {@link io.radosfs.connector.layout.LayoutException} for stored data that cannot be read, {@link
 * io.radosfs.connector.store.OutcomeUnknownException} for a change that may have taken effect,
 * {@link io.radosfs.connector.transaction.TransactionConflictException} if a name belongs to a
 * transaction that others have not finished in time. Paths in messages are absolute ({@code /a/b}).
 *
 * <p>Thread-safe.
 */
public interface Namespace {

  /**
   * A child of a directory.
   *
   * @param entry without extended attributes, which a look-up returns: to ask for them here is a
   *     programming error ({@link io.radosfs.connector.layout.Xattrs#leftOut()})
   */
  record Child(FsPath path, Entry entry) {}

  /**
   * The entry at a path; empty if nothing is there. The root is always a directory. One index read
   * at any depth; two or three more while a transaction holds the name.
   */
  Optional<Entry> lookup(FsPath path) throws IOException;

  /**
   * The children of a directory, in the order of their names' UTF-8 bytes; for a file the file
   * itself. ⌈n/1024⌉ index reads, two more for each shard of the index; four for an empty
   * directory.
   *
   * @throws java.io.FileNotFoundException when there is nothing at the path
   */
  List<Child> list(FsPath path) throws IOException;

  /**
   * The same as {@link #list}, for a transaction that replaces what is there.
   *
   * @param guard of the path, see {@link io.radosfs.connector.transaction.OverwriteGuard#before}
   * @throws io.radosfs.connector.transaction.TransactionConflictException if another transaction
   *     replaces what is there, and does not end within the wait
   */
  List<Child> list(FsPath path, ListingGuard guard) throws IOException;

  /**
   * The same as {@link #list}, held in less memory: as it is stored, some hundred bytes a child. If
   * the index has shards, a few of them are held at a time, and names are in order only within
   * each. Like {@link #list} it is the state of one instant as far as transactions go. If a
   * transaction has changed what was handed out already, the rest would be of another instant, and
   * the iterator throws a {@link org.apache.hadoop.fs.PathIOException}. For one thread.
   *
   * @throws java.io.FileNotFoundException when there is nothing at the path
   */
  RemoteIterator<Child> listing(FsPath path) throws IOException;

  /**
   * Makes a directory and those above it that are missing; does nothing if it exists. Not atomic
   * over several levels: they appear from the top. Those above are made again if others remove them
   * before the last is there. One read and one write if the parent has children.
   *
   * @param attributes of the directories that it makes
   * @throws io.radosfs.connector.store.OutcomeUnknownException also when an answer was lost, and
   *     the directory may have been made and removed by others since: it is not made twice
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the path is a file
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException when one above it is a file
   */
  void mkdirs(FsPath path, Attributes attributes) throws IOException;

  /**
   * Makes a directory in one that exists; does nothing if it exists itself. At one instant: neither
   * it nor the parent is made anew if others remove it. One read and one write if the parent has
   * children.
   *
   * @throws java.io.FileNotFoundException when there is no parent
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the path is a file
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException when the parent is a file
   */
  void mkdir(FsPath path, Attributes attributes) throws IOException;

  /**
   * The same as {@link #mkdirs}, for whoever goes on to put something into it: what others remove
   * meanwhile is made again.
   *
   * @return the directory's uid if this call has made it, so that {@link #removeUnused} can take it
   *     back; empty if it was there, or a transaction is making it too
   */
  Optional<Uid> makeDirectory(FsPath path, Attributes attributes) throws IOException;

  /**
   * Removes a directory that {@link #makeDirectory} has made, if nothing has come to it since: it
   * is still that directory, it is empty, and no other transaction than this one is registered in
   * it or prepared there. All that is one guard of the operation that removes it. It waits for
   * nobody. Cost: as {@link #delete} of an empty directory.
   *
   * @param uid of the directory
   * @param transaction the only one that may be registered there; the list of ledgers leads to its
   *     job then, as after any deletion
   * @return false if the directory stays, or was gone already
   */
  boolean removeUnused(FsPath directory, Uid uid, String transaction) throws IOException;

  /**
   * Removes a file if it is still the one of this uid. Cost: as {@link #delete} of a file.
   *
   * @return false if it was gone
   */
  boolean removeFile(FsPath path, Uid uid) throws IOException;

  /**
   * Removes a file, or a directory. A directory tree is removed from the leaves up: each directory
   * at one instant with the files in it. The root itself stays.
   *
   * @return false if there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotEmptyDirectoryException for a directory with children
   *     unless recursive
   */
  boolean delete(FsPath path, boolean recursive) throws IOException;

  /**
   * Removes files, and directories that are empty when their turn comes (paths below them come
   * first). Missing paths are ignored. Atomic only for the files of one directory (1,000 at most;
   * of one shard if its index has shards): one read and one write of its index, or of each shard,
   * for all of them, then their data.
   *
   * @return what could not be removed, and why
   */
  Map<FsPath, IOException> deleteAll(Collection<FsPath> paths);

  /**
   * Gives a file or a directory tree another name, at one instant and without touching data (I1,
   * I3). The destination's parent must exist. Within a directory a file's rename is one index write
   * after one read; across directories five writes; a directory tree costs one more, and four for
   * every directory of it.
   *
   * <p>An empty directory that a directory is to replace is removed first, as of an instant of its
   * own: in between nothing is at the destination. If the rename fails then, it is told as of
   * unknown outcome.
   *
   * @param overwrite whether a file or empty directory at the destination is replaced
   * @throws java.io.FileNotFoundException when there is no source
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the destination exists and is not
   *     to be, or cannot be, replaced (file over directory, directory over file)
   * @throws org.apache.hadoop.fs.PathIsNotEmptyDirectoryException when the directory to be replaced
   *     has children
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException when the destination's parent is a
   *     file
   * @throws org.apache.hadoop.fs.PathIOException when the destination is below the source, or the
   *     source is the root
   */
  void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException;

  /**
   * Changes the attributes of a file or directory, and of a file that this process is writing under
   * that name; one read and, if something is there, one write.
   *
   * @throws org.apache.hadoop.fs.PathIOException for the root
   * @throws java.io.FileNotFoundException if nothing is there, nor being written by this process
   */
  void setAttributes(FsPath path, AttributeChange change) throws IOException;

  /**
   * Prepares to write a file. Checks early what can be checked: that the path is not a directory,
   * that there is no file unless it may be overwritten, and that the parent is a directory or, with
   * {@code createParent}, can be made one (it is made then). One index read if the parent has
   * children.
   *
   * <p>Reads and checks nothing if the file may overwrite and this process has just made one in the
   * same directory. The checks then come with the second stripe ({@link FilePublisher#expectMore})
   * or, for a file of one, in the guards of {@link FilePublisher#publish}, and fail there.
   *
   * @param attributes of the file; its parents are made with the same owner and group
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException also at {@link FilePublisher#publish},
   *     if the file has appeared meanwhile and is not to be overwritten (I3)
   */
  NewFile create(FsPath path, boolean overwrite, boolean createParent, Attributes attributes)
      throws IOException;

  /**
   * A file about to be written.
   *
   * @param uid its new identity
   * @param nameTaken whether, as far as known, a file has the path's object name already, so that
   *     the first stripe should take the name with the uid from the start
   * @param layout of its directory
   */
  record NewFile(Uid uid, boolean nameTaken, FilePublisher publisher, DataLayout layout) {

    /**
     * Where its bytes go.
     *
     * @param path that it is written to
     * @param defaultObjectSize the file system's
     */
    public FileData data(FsPath path, int defaultObjectSize) {
      return layout.newFile(path, uid, !nameTaken, defaultObjectSize);
    }
  }
}
