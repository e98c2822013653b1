// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.transaction.ListingGuard;
import io.radosfs.connector.transaction.OverwriteGuard;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/**
 * Computes the changes of a job's transaction: new files, and what is there now to be removed.
 *
 * <p>Cost: one look-up for {@code _SUCCESS}, unless the destination is listed; if the job replaces,
 * the listing of every replaced directory that gets new files at or below it, and a look at each
 * directory between that and the one above it that the job has locked. All these wait for other
 * jobs that replace the same ({@link OverwriteGuard}).
 */
final class ComputeChangesStage {

  private final Namespace namespace;
  private final OverwriteGuard guard;
  private final FsPath destination;
  private final Set<FsPath> kept;
  private final FileTable.Builder removed = new FileTable.Builder();
  private final Set<FsPath> removedWhole = new TreeSet<>();
  private boolean destinationListed;

  private ComputeChangesStage(Job job, Selected selected, Overwrite overwrite) {
    this.namespace = job.fs().namespace();
    this.destination = job.destination();
    this.guard =
        job.fs()
            .transactions()
            .overwriteGuard(
                job.registration(), overwrite.elsewhere(destination, selected.directories()));
    this.kept = SelectFilesStage.withAncestors(destination, selected.directories());
  }

  /**
   * @param success whether a {@code _SUCCESS} is written, which replaces an old one
   * @throws FileAlreadyExistsException if that is a directory, which the job does not replace; or
   *     if a task has written a file of that name, or one below it
   */
  static Changes run(Job job, Selected selected, Overwrite overwrite, boolean success)
      throws IOException {
    ComputeChangesStage stage = new ComputeChangesStage(job, selected, overwrite);
    for (FsPath path : overwrite.replaced()) {
      if (!isBelowOne(path, overwrite.replaced())) {
        stage.replace(path);
      }
    }
    if (overwrite.writtenPartitions()) {
      for (FsPath partition : selected.directories()) {
        if (!partition.equals(job.destination())) {
          stage.clear(partition, /* recursive= */ false);
        }
      }
    }
    if (success) {
      stage.requireNoneWritten(selected);
      stage.replaceSuccess();
    }
    return new Changes(selected.files(), stage.removed.build(), stage.removedWhole);
  }

  /**
   * Whether another one has this path replaced too, as a table has whose partition has a location
   * within the table. What is removed whole is not changed as well.
   */
  private static boolean isBelowOne(FsPath path, Set<FsPath> replaced) {
    for (FsPath above = path; !above.isRoot(); ) {
      above = above.parent();
      if (replaced.contains(above)) {
        return true;
      }
    }
    return false;
  }

  private void replace(FsPath path) throws IOException {
    if (kept.contains(path)) {
      clear(path, /* recursive= */ true);
      return;
    }
    ListingGuard unused = guard.before(path); // It is not listed.
    Optional<Entry> entry = namespace.lookup(path);
    if (entry.isPresent()) {
      remove(path, entry.get());
    }
  }

  /** Removes what is in a directory, except directories that get new files at or below them. */
  private void clear(FsPath directory, boolean recursive) throws IOException {
    for (Namespace.Child child : children(directory)) {
      boolean isKept = kept.contains(child.path()) && child.entry() instanceof Entry.OfDirectory;
      if (!isKept) {
        remove(child.path(), child.entry());
      } else if (recursive) {
        clear(child.path(), true);
      }
    }
  }

  private void remove(FsPath path, Entry entry) {
    if (entry instanceof Entry.OfFile file) {
      removed.addRemoved(path, file);
    } else {
      removedWhole.add(path);
    }
  }

  private List<Namespace.Child> children(FsPath directory) throws IOException {
    destinationListed |= directory.equals(destination);
    try {
      return namespace.list(directory, guard.before(directory));
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** The report would take the place of a task's file of that name. */
  private void requireNoneWritten(Selected selected) throws IOException {
    FsPath path = destination.child(JobPlan.SUCCESS_NAME);
    if (selected.files().writer(path).isPresent() || kept.contains(path)) {
      throw new FileAlreadyExistsException(
          "a task has written "
              + path
              + ", which is the name of the file that says that the job has succeeded. Have tasks"
              + " write to another name, or set"
              + " mapreduce.fileoutputcommitter.marksuccessfuljobs=false; nothing was made visible");
    }
  }

  private void replaceSuccess() throws IOException {
    if (destinationListed) {
      return;
    }
    FsPath path = destination.child(JobPlan.SUCCESS_NAME);
    Optional<Entry> old = namespace.lookup(path);
    if (old.isPresent() && old.get() instanceof Entry.OfDirectory) {
      throw new FileAlreadyExistsException(
          path
              + " is a directory, in the way of the file that says that a job has succeeded."
              + " Remove or rename it, or set"
              + " mapreduce.fileoutputcommitter.marksuccessfuljobs=false");
    }
    if (old.isPresent()) {
      remove(path, old.get());
    }
  }
}
