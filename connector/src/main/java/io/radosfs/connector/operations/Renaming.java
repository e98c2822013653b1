// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.rename.Moves;
import io.radosfs.connector.transaction.rename.RenameRules;
import io.radosfs.connector.transaction.rename.RenameRules.Replaces;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renames: a file within its directory by one write, everything else by a transaction. */
public final class Renaming {

  private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final ListedData listedData;
  private final Retention retention;
  private final Moves moves;
  private final Deletion deletion;

  public Renaming(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      ListedData listedData,
      Retention retention,
      Moves moves,
      Deletion deletion) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.listedData = listedData;
    this.retention = retention;
    this.moves = moves;
    this.deletion = deletion;
  }

  void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    if (source.isRoot()) {
      throw new PathIOException(source.toString(), "the root cannot be renamed");
    }
    if (destination.isRoot()) {
      throw new FileAlreadyExistsException("rename destination " + destination + " is the root");
    }
    if (destination.isAtOrBelow(source) && !destination.equals(source)) {
      throw new PathIOException(
          source.toString(), "cannot be renamed to " + destination + ", which is below it");
    }
    indexes
        .retries()
        .until(
            "rename of " + source + " to " + destination,
            () -> tryToRename(source, destination, overwrite));
  }

  /** Returns false if it must be tried again. */
  private boolean tryToRename(FsPath source, FsPath destination, boolean overwrite)
      throws IOException {
    Optional<DirectoryView> seen;
    if (source.parent().equals(destination.parent())) {
      seen = renameWithin(source, destination, overwrite);
      if (seen.isEmpty()) {
        return true;
      }
    } else {
      openParent(destination);
      seen = Optional.of(freeNames.view(source.parent(), List.of(source.name())));
    }
    Entry renamed = RenameRules.requireSource(source, seen.get());
    boolean isDirectory = renamed instanceof Entry.OfDirectory;
    try {
      if (isDirectory && replacesDirectory(destination, overwrite)) {
        moveToRemoved(source, destination, seen.get());
      } else {
        Replaces replaces = overwrite && !isDirectory ? Replaces.FILE : Replaces.NOTHING;
        moves.move(source, destination, replaces, seen.get());
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      // A file that nothing can be replaced by was held when it was refused.
      if ((isDirectory || overwrite) && isAnother(source, renamed, e)
          || isDirectory && overwrite && isNoFile(destination, e)) {
        return false;
      }
      throw e;
    } catch (PathIsNotEmptyDirectoryException e) {
      if (isAnother(source, renamed, e)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Whether the source has gone, or is another one by now, so that a refusal for the destination is
   * to be tried again: the source tells what may replace a file and what a directory, and if it has
   * gone, that is to be told. A read.
   */
  private boolean isAnother(FsPath source, Entry renamed, IOException refusal) throws IOException {
    return find(source, refusal).filter(now -> now.uid().equals(renamed.uid())).isEmpty();
  }

  /**
   * Whether a directory may have been made at the destination since the look: if it is empty, it is
   * to be replaced too, and it may have gone again. A read.
   */
  private boolean isNoFile(FsPath destination, IOException refusal) throws IOException {
    return find(destination, refusal).filter(Entry.OfFile.class::isInstance).isEmpty();
  }

  private Optional<Entry> find(FsPath path, IOException refusal) throws IOException {
    try {
      return find(path);
    } catch (IOException e) {
      e.addSuppressed(refusal);
      throw e;
    }
  }

  private Optional<Entry> find(FsPath path) throws IOException {
    return visible.lookup(path.parent(), path.name());
  }

  private void openParent(FsPath destination) throws IOException {
    FsPath parent = destination.parent();
    if (parent.isRoot()) {
      return;
    }
    Entry entry =
        find(parent)
            .orElseThrow(
                () ->
                    new FileNotFoundException(
                        "rename destination's parent " + parent + " does not exist"));
    if (!(entry instanceof Entry.OfDirectory)) {
      throw new ParentNotDirectoryException(parent + " is a file, not a directory");
    }
  }

  /**
   * Renames a file by one write.
   *
   * @return a view of the source, if the rename takes a transaction: of a directory, or to another
   *     shard. Empty if all is done
   */
  private Optional<DirectoryView> renameWithin(FsPath source, FsPath destination, boolean overwrite)
      throws IOException {
    List<IndexChange> refused = new ArrayList<>();
    return indexes
        .retries()
        .run(
            "rename of " + source + " to " + destination,
            () -> tryToRenameWithin(source, destination, overwrite, refused));
  }

  /**
   * Empty if it must be tried again.
   *
   * @param refused those of tries before. One of them may have been applied all the same ({@link
   *     IndexChange#isLastIn})
   */
  private Optional<Optional<DirectoryView>> tryToRenameWithin(
      FsPath source, FsPath destination, boolean overwrite, List<IndexChange> refused)
      throws IOException {
    FsPath directory = source.parent();
    String from = source.name();
    String to = destination.name();
    DirectoryView view = freeNames.view(directory, List.of(from, to));
    if (view.isOpen() && view.isSharded()) {
      return Optional.of(Optional.of(freeNames.view(directory, List.of(from))));
    }
    if (IndexChange.anyIsLastIn(view, refused)) {
      return Optional.of(Optional.empty());
    }
    Entry moved = RenameRules.requireSource(source, view);
    if (from.equals(to)) {
      return Optional.of(Optional.empty());
    }
    if (moved instanceof Entry.OfDirectory) {
      return Optional.of(Optional.of(view));
    }
    Optional<Entry> replaced = view.entry(to);
    RenameRules.requireReplaceable(
        destination, moved, replaced, overwrite ? Replaces.FILE : Replaces.NOTHING);
    IndexChange change =
        IndexChange.of(view)
            .expectFree(from, view.storedEntry(from))
            .expectFree(to, view.storedEntry(to))
            .remove(IndexKeys.entry(from))
            .set(IndexKeys.entry(to), EntryCodec.encode(destination, moved))
            .mayReturn(IndexKeys.entry(from))
            .othersMayMakeIt()
            .transactional()
            .seen(view);
    Optional<DeferredDeletion.OfFile> deferred =
        replaced.map(old -> retention.replaced((Entry.OfFile) old));
    deferred.ifPresent(change::defer);
    if (indexes.writer().apply(change)) {
      deferred.ifPresent(old -> deleteQuietly(change, destination, old));
      return Optional.of(Optional.empty());
    }
    refused.add(change);
    return Optional.empty();
  }

  /**
   * Removes an empty directory that a directory is to replace. Returns false if nothing is there.
   *
   * @throws FileAlreadyExistsException if a file is there, which a directory never replaces
   */
  private boolean replacesDirectory(FsPath destination, boolean overwrite) throws IOException {
    Optional<Entry> replaced = find(destination);
    if (replaced.isEmpty()) {
      return false;
    }
    if (!overwrite || !(replaced.get() instanceof Entry.OfDirectory)) {
      throw new FileAlreadyExistsException("rename destination " + destination + " already exists");
    }
    // Only an empty directory may be replaced. Nobody can miss it in between.
    return deletion.deleteDirectory(destination);
  }

  /** A failure now has changed something: the directory that was to be replaced is gone. */
  private void moveToRemoved(FsPath source, FsPath destination, DirectoryView seen)
      throws IOException {
    try {
      moves.move(source, destination, Replaces.REMOVED_DIRECTORY, seen);
    } catch (InterruptedIOException | OutcomeUnknownException e) {
      throw e;
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          "rename of "
              + source
              + " to "
              + destination
              + " failed when the empty directory there, which it was to replace, had been removed:"
              + " look at both before repeating it",
          e);
    }
  }

  private void deleteQuietly(
      IndexChange made, FsPath destination, DeferredDeletion.OfFile replaced) {
    FOLLOW_UP.quietly(
        "the data that " + destination + " replaced is still there",
        "it is removed by the next change there, or radosfs gc",
        () -> listedData.delete(made, replaced));
  }
}
