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
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.rename.Moves;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renames: a file within its directory by one write, everything else by a transaction. */
public final class Renaming {

  private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final Retention retention;
  private final Moves moves;
  private final Deletion deletion;

  public Renaming(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      Retention retention,
      Moves moves,
      Deletion deletion) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.deferredDeletions = deferredDeletions;
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
    if (source.parent().equals(destination.parent())) {
      switch (renameWithin(source, destination, overwrite)) {
        case DONE -> {
          return;
        }
        case IS_DIRECTORY -> {
          moveDirectory(source, destination, overwrite);
          return;
        }
        case IN_TWO_SHARDS -> {
          // as across directories
        }
      }
    } else {
      openParent(destination);
    }
    Entry moved = find(source).orElseThrow(() -> missing(source));
    if (moved instanceof Entry.OfDirectory) {
      moveDirectory(source, destination, overwrite);
    } else {
      moves.move(source, destination, overwrite);
    }
  }

  private Optional<Entry> find(FsPath path) throws IOException {
    return visible.lookup(path.parent(), path.name());
  }

  private static FileNotFoundException missing(FsPath path) {
    return new FileNotFoundException(path + " does not exist");
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

  /** What became of a rename by one write. */
  private enum Within {
    DONE,
    IS_DIRECTORY,
    IN_TWO_SHARDS
  }

  private Within renameWithin(FsPath source, FsPath destination, boolean overwrite)
      throws IOException {
    return indexes
        .retries()
        .run(
            "rename of " + source + " to " + destination,
            () -> tryToRenameWithin(source, destination, overwrite));
  }

  /** Empty when it must be looked at again. */
  private Optional<Within> tryToRenameWithin(FsPath source, FsPath destination, boolean overwrite)
      throws IOException {
    FsPath directory = source.parent();
    String from = source.name();
    String to = destination.name();
    DirectoryView view = freeNames.view(directory, List.of(from, to));
    if (view.isOpen() && view.isSharded()) {
      return Optional.of(Within.IN_TWO_SHARDS);
    }
    Entry moved =
        (view.isOpen() ? view.entry(from) : Optional.<Entry>empty())
            .orElseThrow(() -> missing(source));
    if (moved instanceof Entry.OfDirectory) {
      return Optional.of(Within.IS_DIRECTORY);
    }
    if (from.equals(to)) {
      return Optional.of(Within.DONE);
    }
    Optional<Entry> replaced = view.entry(to);
    Moves.requireReplaceable(destination, moved, replaced, overwrite);
    IndexChange change =
        IndexChange.of(view)
            .expectFree(from, view.storedEntry(from))
            .expectFree(to, view.storedEntry(to))
            .remove(IndexKeys.entry(from))
            .set(IndexKeys.entry(to), EntryCodec.encode(destination, moved))
            .transactional();
    Optional<DeferredDeletion.OfFile> deferred =
        replaced.map(old -> retention.replaced((Entry.OfFile) old));
    deferred.ifPresent(old -> change.set(IndexKeys.deferredDeletion(old.uid()), old.encode()));
    if (indexes.writer().apply(change)) {
      deferred.ifPresent(old -> deleteQuietly(view.index(), destination, old));
      return Optional.of(Within.DONE);
    }
    return Optional.empty();
  }

  private void moveDirectory(FsPath source, FsPath destination, boolean overwrite)
      throws IOException {
    if (source.equals(destination)) {
      return;
    }
    Optional<Entry> replaced = find(destination);
    if (replaced.isPresent()) {
      if (!overwrite || !(replaced.get() instanceof Entry.OfDirectory)) {
        throw new FileAlreadyExistsException(
            "rename destination " + destination + " already exists");
      }
      // Only an empty directory may be replaced. It is nothing that anyone could miss in between.
      if (deletion.delete(destination, false)) {
        moveToRemoved(source, destination);
        return;
      }
    }
    moves.move(source, destination, false);
  }

  /** What fails now has changed something: the directory that was to be replaced is gone. */
  private void moveToRemoved(FsPath source, FsPath destination) throws IOException {
    try {
      moves.move(source, destination, false);
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
      IndexObject index, FsPath destination, DeferredDeletion.OfFile replaced) {
    FOLLOW_UP.quietly(
        "the data that " + destination + " replaced is still there",
        "it is removed by the next change there, or radosfs gc",
        () -> deferredDeletions.carryOut(index, replaced));
  }
}
