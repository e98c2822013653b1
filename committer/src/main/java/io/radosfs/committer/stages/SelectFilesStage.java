package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses the manifests that become visible, and checks that they go together. Talks to nobody. */
final class SelectFilesStage {

  private SelectFilesStage() {}

  /**
   * What a job makes visible.
   *
   * @param attempts chosen
   * @param directories by path, each with its new files by name
   */
  record Selected(
      Set<TaskAttempt> attempts,
      SortedMap<FsPath, SortedMap<String, Entry>> directories,
      int files,
      long bytes) {}

  /**
   * @throws IOException when a chosen attempt has no manifest, or two files have the same path, or
   *     one has the path of another's directory
   */
  static Selected run(Job job, Selection selection, List<TaskManifest> manifests)
      throws IOException {
    Map<TaskAttempt, TaskManifest> chosen = choose(job, selection, manifests);
    SortedMap<FsPath, SortedMap<String, Entry>> directories = new TreeMap<>();
    Map<FsPath, TaskAttempt> writers = new HashMap<>();
    int files = 0;
    long bytes = 0;
    for (TaskManifest manifest : chosen.values()) {
      for (PromotedFile file : manifest.files()) {
        TaskAttempt other = writers.put(file.path(), manifest.attempt());
        if (other != null) {
          throw new IOException(
              "cannot commit "
                  + job
                  + ": task attempts "
                  + other
                  + " and "
                  + manifest.attempt()
                  + " have both written "
                  + file.path()
                  + "; nothing was made visible");
        }
        directories
            .computeIfAbsent(file.path().parent(), any -> new TreeMap<>())
            .put(file.path().name(), file.entry());
        files++;
        bytes += file.entry().data().length();
      }
    }
    checkDirectories(job, directories.keySet(), writers);
    return new Selected(chosen.keySet(), directories, files, bytes);
  }

  private static Map<TaskAttempt, TaskManifest> choose(
      Job job, Selection selection, List<TaskManifest> manifests) throws IOException {
    Map<TaskAttempt, TaskManifest> chosen = new TreeMap<>();
    if (selection.exactly().isPresent()) {
      for (TaskManifest manifest : manifests) {
        if (selection.exactly().get().contains(manifest.attempt())) {
          chosen.put(manifest.attempt(), manifest);
        }
      }
      for (TaskAttempt attempt : selection.exactly().get()) {
        if (!chosen.containsKey(attempt)) {
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
      return chosen;
    }
    Map<String, TaskManifest> last = new HashMap<>();
    for (TaskManifest manifest : manifests) {
      last.merge(
          manifest.attempt().task(),
          manifest,
          (one, other) -> other.sequence() >= one.sequence() ? other : one);
    }
    last.values().forEach(manifest -> chosen.put(manifest.attempt(), manifest));
    return chosen;
  }

  private static void checkDirectories(
      Job job, Set<FsPath> directories, Map<FsPath, TaskAttempt> writers) throws IOException {
    for (FsPath directory : withAncestors(job.destination(), directories)) {
      TaskAttempt writer = writers.get(directory);
      if (writer != null) {
        throw new IOException(
            "cannot commit "
                + job
                + ": task attempt "
                + writer
                + " has written the file "
                + directory
                + ", below which another has written; nothing was made visible");
      }
    }
  }

  /**
   * These directories and those above them: up to and with the destination; of those that are
   * elsewhere, up to the root.
   */
  static Set<FsPath> withAncestors(FsPath destination, Set<FsPath> directories) {
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
