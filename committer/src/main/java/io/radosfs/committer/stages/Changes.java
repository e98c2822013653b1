// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.util.Optional;
import java.util.Set;

/**
 * The changes that a job's transaction makes.
 *
 * @param added new files, without {@code _SUCCESS}
 * @param removed files to be removed
 * @param removedWhole directories to be removed with all that is in them
 */
record Changes(FileTable added, FileTable removed, Set<FsPath> removedWhole) {

  /** All directories concerned, except parents of those that are not below the destination. */
  Set<FsPath> directories(FsPath destination) {
    Set<FsPath> all = SelectFilesStage.withAncestors(destination, added.directories());
    all.removeIf(path -> !path.isAtOrBelow(destination));
    all.addAll(added.directories());
    all.addAll(removed.directories());
    all.addAll(removedWhole);
    return all;
  }

  /** Whether a removed file still has the object name of its path. */
  boolean takesPlainName(FsPath path) {
    Optional<Entry.OfFile> file = removed.find(path);
    return file.isPresent() && file.get().data().plainFirst();
  }

  /** Whether both make the same changes. */
  boolean areSame(Changes others) {
    return added.hasSameFiles(others.added)
        && removed.hasSameFiles(others.removed)
        && removedWhole.equals(others.removedWhole);
  }
}
