package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.transaction.DirectoryChange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds out what the job's transaction does: new files, and what goes as it is there now.
 *
 * <p>Cost: one look-up for {@code _SUCCESS}, unless the destination is listed; to replace, the
 * listing of every directory replaced that gets new files at or below it.
 */
final class ComputeChangesStage {

  private final Namespace namespace;
  private final FsPath destination;
  private final Set<FsPath> kept;
  private final SortedMap<FsPath, SortedMap<String, Entry>> removed = new TreeMap<>();
  private final Set<FsPath> removedWhole = new TreeSet<>();
  private boolean destinationListed;

  private ComputeChangesStage(Job job, Selected selected) {
    this.namespace = job.fs().namespace();
    this.destination = job.destination();
    this.kept = SelectFilesStage.withAncestors(destination, selected.directories().keySet());
  }

  /**
   * What a transaction does.
   *
   * @param added new files by directory, without {@code _SUCCESS}
   * @param removed entries by directory
   * @param removedWhole directories that go with all that is in them
   */
  record Changes(
      SortedMap<FsPath, SortedMap<String, Entry>> added,
      SortedMap<FsPath, SortedMap<String, Entry>> removed,
      Set<FsPath> removedWhole) {

    /** Every directory concerned, but for parents of those that are elsewhere. */
    Set<FsPath> directories(FsPath destination) {
      Set<FsPath> all = SelectFilesStage.withAncestors(destination, added.keySet());
      all.removeIf(path -> !path.isAtOrBelow(destination));
      all.addAll(added.keySet());
      all.addAll(removed.keySet());
      all.addAll(removedWhole);
      return all;
    }

    /** Whether a removed file still has the object name of its path. */
    boolean takesPlainName(FsPath directory, String name) {
      return removed.getOrDefault(directory, none()).get(name) instanceof Entry.OfFile file
          && file.data().plainFirst();
    }

    /**
     * In the form that transactions take, with the report if there is one. A directory that is made
     * gets the layout that the files in it were written with.
     */
    Map<FsPath, DirectoryChange> byDirectory(
        FsPath destination, Optional<Entry> success, FileObjects objects) {
      SortedMap<FsPath, SortedMap<String, Entry>> adds = new TreeMap<>(added);
      if (success.isPresent()) {
        SortedMap<String, Entry> top = new TreeMap<>(added.getOrDefault(destination, none()));
        top.put(JobPlan.SUCCESS_NAME, success.get());
        adds.put(destination, top);
      }
      Set<FsPath> directories = new TreeSet<>(adds.keySet());
      directories.addAll(removed.keySet());
      Map<FsPath, DirectoryChange> changes = new TreeMap<>();
      for (FsPath directory : directories) {
        changes.put(
            directory,
            new DirectoryChange(
                adds.getOrDefault(directory, none()),
                removed.getOrDefault(directory, none()),
                layout(added.getOrDefault(directory, none()), objects)));
      }
      return changes;
    }

    private static DataLayout layout(SortedMap<String, Entry> files, FileObjects objects) {
      return files.values().stream()
          .findFirst()
          .map(file -> objects.layoutOf(((Entry.OfFile) file).data()))
          .orElse(DataLayout.DEFAULT);
    }

    private static SortedMap<String, Entry> none() {
      return new TreeMap<>();
    }
  }

  /**
   * @param success whether there will be a {@code _SUCCESS}, which replaces another
   */
  static Changes run(Job job, Selected selected, Overwrite overwrite, boolean success)
      throws IOException {
    ComputeChangesStage stage = new ComputeChangesStage(job, selected);
    for (FsPath path : overwrite.replaced()) {
      stage.replace(path);
    }
    if (overwrite.writtenPartitions()) {
      for (FsPath partition : selected.directories().keySet()) {
        if (!partition.equals(job.destination())) {
          stage.clear(partition, /* recursive= */ false);
        }
      }
    }
    if (success) {
      stage.replaceSuccess();
    }
    return new Changes(selected.directories(), stage.removed, stage.removedWhole);
  }

  private void replace(FsPath path) throws IOException {
    if (kept.contains(path)) {
      clear(path, /* recursive= */ true);
      return;
    }
    Optional<Entry> entry = namespace.lookup(path);
    if (entry.isPresent()) {
      remove(path, entry.get());
    }
  }

  /** Removes what is in a directory, but for directories that get new files at or below them. */
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
    if (entry instanceof Entry.OfDirectory) {
      removedWhole.add(path);
    } else {
      removed.computeIfAbsent(path.parent(), any -> new TreeMap<>()).put(path.name(), entry);
    }
  }

  private List<Namespace.Child> children(FsPath directory) throws IOException {
    destinationListed |= directory.equals(destination);
    try {
      return namespace.list(directory);
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  private void replaceSuccess() throws IOException {
    if (destinationListed) {
      return;
    }
    FsPath path = destination.child(JobPlan.SUCCESS_NAME);
    Optional<Entry> old = namespace.lookup(path);
    if (old.isPresent()) {
      remove(path, old.get());
    }
  }
}
