// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the manifests that become visible while they are read, keeps their files in a compact
 * table, and checks that they fit together. No RADOS operation.
 */
final class SelectFilesStage implements LoadManifestsStage.Taker {

  /**
   * Attempts that commit at the same time, each before it has seen the other, have one sequence.
   * Then the later attempt counts: the engine has begun it as it had given the other up. A number
   * with more digits is a larger one.
   */
  private static final Comparator<TaskManifest> LAST =
      Comparator.comparingInt(TaskManifest::sequence)
          .thenComparingInt(manifest -> manifest.attempt().attempt().length())
          .thenComparing(manifest -> manifest.attempt().attempt());

  private final Job job;
  private final Selection selection;
  private final List<TaskAttempt> chosen = new ArrayList<>();
  private final FileTable.Builder files = new FileTable.Builder();

  /** The manifest to choose for the task whose attempts are being read. */
  private Optional<TaskManifest> ofTask = Optional.empty();

  SelectFilesStage(Job job, Selection selection) {
    this.job = job;
    this.selection = selection;
  }

  /**
   * What a job makes visible.
   *
   * @param files of the attempts
   */
  record Selected(Set<TaskAttempt> attempts, FileTable files) {

    /** The directories that get files. */
    Set<FsPath> directories() {
      return files.directories();
    }
  }

  /** Takes a manifest; those of one task come one after another. */
  @Override
  public void take(TaskManifest manifest) {
    if (selection.exactly().isPresent()) {
      if (selection.exactly().get().contains(manifest.attempt())) {
        choose(manifest);
      }
      return;
    }
    if (ofTask.isPresent() && !isOfSameTask(ofTask.get(), manifest)) {
      choose(ofTask.get());
      ofTask = Optional.empty();
    }
    if (ofTask.isEmpty() || LAST.compare(manifest, ofTask.get()) >= 0) {
      ofTask = Optional.of(manifest);
    }
  }

  private static boolean isOfSameTask(TaskManifest one, TaskManifest other) {
    return one.attempt().task().equals(other.attempt().task());
  }

  private void choose(TaskManifest manifest) {
    for (PromotedFile file : manifest.files()) {
      files.add(file.path(), file.entry(), chosen.size());
    }
    chosen.add(manifest.attempt());
  }

  /**
   * Returns what was chosen. Call it once.
   *
   * @throws IOException if a chosen attempt has no manifest, or two files have the same path, or
   *     one file has the path of another's directory
   */
  Selected selected() throws IOException {
    ofTask.ifPresent(this::choose);
    Set<TaskAttempt> attempts = new TreeSet<>(chosen);
    if (selection.exactly().isPresent()) {
      requireAll(selection.exactly().get(), attempts);
    }
    Selected selected = new Selected(attempts, files.build());
    requireOneFileAPath(selected.files());
    requireDirectories(selected.files());
    return selected;
  }

  private void requireAll(Set<TaskAttempt> wanted, Set<TaskAttempt> found) throws IOException {
    for (TaskAttempt attempt : wanted) {
      if (!found.contains(attempt)) {
        throw new IOException(
            "cannot commit "
                + job
                + ": the manifest of task attempt "
                + attempt
                + ", which was reported as committed, is not in the job's record '"
                + job.record().name()
                + "'; nothing was made visible");
      }
    }
  }

  private void requireOneFileAPath(FileTable table) throws IOException {
    Optional<FileTable.Twice> twice = table.twice();
    if (twice.isPresent()) {
      throw new IOException(
          "cannot commit "
              + job
              + ": task attempts "
              + chosen.get(twice.get().writer())
              + " and "
              + chosen.get(twice.get().other())
              + " have both written "
              + twice.get().path()
              + "; nothing was made visible");
    }
  }

  private void requireDirectories(FileTable table) throws IOException {
    for (FsPath directory : withAncestors(job.destination(), table.directories())) {
      Optional<Integer> writer = table.writer(directory);
      if (writer.isPresent()) {
        throw new IOException(
            "cannot commit "
                + job
                + ": task attempt "
                + chosen.get(writer.get())
                + " has written the file "
                + directory
                + ", below which another has written; nothing was made visible");
      }
    }
  }

  /**
   * Returns these directories and their ancestors: up to and including the destination; for those
   * that are not below it, up to the root.
   */
  static Set<FsPath> withAncestors(FsPath destination, Collection<FsPath> directories) {
    Set<FsPath> all = new HashSet<>();
    all.add(destination);
    for (FsPath directory : directories) {
      FsPath path = directory;
      while (!path.equals(destination) && !path.isRoot() && all.add(path)) {
        path = path.parent();
      }
    }
    return all;
  }
}
