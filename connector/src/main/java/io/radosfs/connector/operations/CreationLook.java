// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/** Reads a directory before a file is made in it, and checks that the file may be made. */
final class CreationLook {

  private final FreeNames freeNames;
  private final OpenIndexes openIndexes;
  private final KnownDirectories known;
  private final FsPath path;
  private final boolean overwrite;
  private final boolean createParent;
  private final Attributes ofParents;

  private final KnownDirectories.Learning learning;

  /**
   * @param ofParents attributes of the directories that it makes
   */
  CreationLook(
      FreeNames freeNames,
      OpenIndexes openIndexes,
      KnownDirectories known,
      FsPath path,
      boolean overwrite,
      boolean createParent,
      Attributes ofParents) {
    this.freeNames = freeNames;
    this.openIndexes = openIndexes;
    this.known = known;
    this.path = path;
    this.overwrite = overwrite;
    this.createParent = createParent;
    this.ofParents = ofParents;
    this.learning = known.begin(path.parent());
  }

  FsPath path() {
    return path;
  }

  /**
   * The path's directory as this process remembers it, without the name. Empty if a file that is
   * there is not to be overwritten: that is looked up first. No operation.
   */
  Optional<DirectoryView> recall(ShardRouter router) {
    return overwrite
        ? known.recall(router.remembered(path.parent(), path.name()))
        : Optional.empty();
  }

  /**
   * A view of the path's directory, with the name. Makes the directory first if it is missing and
   * may be made. One read if it has an index.
   *
   * @throws FileAlreadyExistsException if the path is a directory, or a file that is not to be
   *     overwritten
   * @throws FileNotFoundException if the directory is missing and is not to be made
   */
  DirectoryView look() throws IOException {
    DirectoryView view = view();
    if (!view.isOpen()) {
      openParent();
      view = view();
    }
    if (view.isOpen()) {
      require(view);
    }
    return view;
  }

  /** A view of the path's directory as it is, with the name. One read. */
  DirectoryView view() throws IOException {
    learning.again();
    return freeNames.view(path.parent(), List.of(path.name()));
  }

  /** Checks that the name may be taken; returns the entry that it has now. */
  Optional<Entry> require(DirectoryView view) throws IOException {
    Optional<Entry> there = view.entry(path.name());
    if (there.isPresent() && there.get() instanceof Entry.OfDirectory) {
      throw new FileAlreadyExistsException("cannot create " + path + ": it is a directory");
    }
    if (there.isPresent() && !overwrite) {
      throw new FileAlreadyExistsException(
          "cannot create " + path + ": it exists, and is not to be overwritten");
    }
    return there;
  }

  /**
   * Remembers the directory once a file is made in it under a free name.
   *
   * @param view the last one, which the change was guarded with
   * @param change the {@link io.radosfs.connector.layout.IndexKeys#CHANGE} that it left
   */
  void remember(DirectoryView view, byte[] change) throws IOException {
    learning.remember(view, change);
  }

  /** Drops what is remembered: the next file is to read first. */
  void drop(DirectoryView view) {
    known.drop(view.index());
  }

  /** The file is made or given up. */
  void end() {
    learning.end();
  }

  private void openParent() throws IOException {
    if (createParent) {
      openIndexes.open(path.parent(), ofParents);
    } else {
      openIndexes.openExisting(path.parent());
    }
  }
}
