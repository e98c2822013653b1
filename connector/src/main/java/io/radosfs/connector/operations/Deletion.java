// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.read.VisibleChild;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files and directories. Of a file, one write removes the entry and lists the data, which
 * is deleted afterwards. Of a directory see {@link DirectoryDeletion}.
 */
public final class Deletion {

  private static final Logger LOG = LoggerFactory.getLogger(Deletion.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final ListedData listedData;
  private final DirectoryDeletion directories;

  public Deletion(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      ListedData listedData,
      DirectoryDeletion directories) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.listedData = listedData;
    this.directories = directories;
  }

  boolean delete(FsPath path, boolean recursive) throws IOException {
    List<IndexChange> refused = new ArrayList<>();
    return indexes
        .retries()
        .run("deletion of " + path, () -> tryToDelete(path, view(path), recursive, refused));
  }

  /**
   * Removes an empty directory, and nothing else that may be there by now. Returns false if nothing
   * is there.
   *
   * @throws FileAlreadyExistsException if it is a file
   * @throws PathIsNotEmptyDirectoryException if the directory is not empty
   */
  boolean deleteDirectory(FsPath path) throws IOException {
    return indexes
        .retries()
        .run(
            "deletion of directory " + path,
            () -> {
              DirectoryView view = view(path);
              if (entry(view, path).filter(Entry.OfFile.class::isInstance).isPresent()) {
                throw new FileAlreadyExistsException(path + " is a file by now, not a directory");
              }
              return tryToDelete(path, view, false, new ArrayList<>());
            });
  }

  /**
   * Removes a file if it has this uid.
   *
   * @return false if it was gone
   */
  boolean deleteFile(FsPath path, Uid uid) throws IOException {
    List<IndexChange> refused = new ArrayList<>();
    return indexes
        .retries()
        .run(
            "deletion of file " + path,
            () -> {
              DirectoryView view = view(path);
              boolean there = entry(view, path).filter(e -> e.uid().equals(uid)).isPresent();
              return there
                  ? tryToDelete(path, view, false, refused)
                  : Optional.of(IndexChange.anyIsLastIn(view, refused));
            });
  }

  /**
   * Removes an empty directory if it has this uid and no transaction but this one is at work in it.
   *
   * @return false if it stays, or was gone
   */
  boolean deleteUnused(FsPath directory, Uid uid, String transaction) throws IOException {
    return directories.removeUnused(directory, uid, transaction, freeNames.forOneCall());
  }

  private DirectoryView view(FsPath path) throws IOException {
    return freeNames.view(path.parent(), List.of(path.name()));
  }

  private static Optional<Entry> entry(DirectoryView view, FsPath path) throws IOException {
    return view.isOpen() ? view.entry(path.name()) : Optional.empty();
  }

  /**
   * Empty if it must be tried again.
   *
   * @param refused those of tries before. One of them may have been applied all the same ({@link
   *     IndexChange#isLastIn})
   */
  private Optional<Boolean> tryToDelete(
      FsPath path, DirectoryView view, boolean recursive, List<IndexChange> refused)
      throws IOException {
    Optional<Entry> entry = entry(view, path);
    if (entry.isEmpty()) {
      return Optional.of(IndexChange.anyIsLastIn(view, refused));
    }
    boolean removed =
        entry.get() instanceof Entry.OfDirectory
            ? directories.remove(path, entry.get().uid(), recursive, freeNames.forOneCall())
            : removeFile(path, (Entry.OfFile) entry.get(), view, refused);
    return removed ? Optional.of(true) : Optional.empty();
  }

  private boolean removeFile(
      FsPath path, Entry.OfFile file, DirectoryView view, List<IndexChange> refused)
      throws IOException {
    IndexChange change =
        IndexChange.of(view)
            .expectFree(path.name(), view.storedEntry(path.name()))
            .remove(IndexKeys.entry(path.name()))
            .defer(DeferredDeletion.of(path, file));
    boolean removed = indexes.writer().apply(change);
    if (removed) {
      DirectoryDeletion.afterDeletion(
          FOLLOW_UP, path, () -> listedData.delete(change, file.data()));
    } else {
      refused.add(change);
    }
    return removed;
  }

  /** Removes all children of the root, which itself stays. */
  void clearRoot() throws IOException {
    for (VisibleChild child : visible.list(FsPath.ROOT)) {
      delete(child.path(), true);
    }
  }
}
