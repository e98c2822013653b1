// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.AttemptContents;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Tasks that have committed files without having written any, for tests of jobs of many: a commit
 * does not look at data. File <i>k</i> is in directory <i>k</i> modulo their number; where that is
 * one, in the destination.
 */
public final class MadeUpTasks {

  private MadeUpTasks() {}

  /** Commits a task that says it has written these files. */
  public static void commit(Job job, int task, IntStream files, int directories)
      throws IOException {
    TaskAttempt attempt = new TaskAttempt(String.format("m%06d", task), "0");
    List<PromotedFile> promoted = new ArrayList<>();
    for (int file : files.toArray()) {
      FsPath path = path(job, file, directories);
      FileData data =
          new FileData(path, Uid.random(), true, 1_000_000 + file, 4 << 20, Optional.empty());
      Attributes attributes = new Attributes(1_763_723_000_000L + file, 0644, "spark", "spark");
      promoted.add(new PromotedFile(path, new Entry.OfFile(data, 0x9e3779b9 * file, attributes)));
    }
    TaskManifest manifest = new TaskManifest(job.id(), attempt, 0, 1, promoted);
    boolean unused =
        job.record()
            .of(attempt)
            .commit(manifest.encode(job.destination()), AttemptContents.of(List.of()));
  }

  /** Commits one of several tasks that have written so many files between them. */
  public static void commit(Job job, int task, int tasks, int files, int directories)
      throws IOException {
    commit(
        job,
        task,
        IntStream.iterate(task, file -> file < files, file -> file + tasks),
        directories);
  }

  /** Fails unless the first, the last and one between of so many files are there. */
  public static void requireCommitted(Job job, int files, int directories) throws IOException {
    for (int file : new int[] {0, files / 2, files - 1}) {
      FsPath path = path(job, file, directories);
      if (job.fs().namespace().lookup(path).isEmpty()) {
        throw new IOException(path + " is not there");
      }
    }
  }

  private static FsPath path(Job job, int file, int directories) throws IOException {
    FsPath directory =
        directories == 1
            ? job.destination()
            : job.destination().child(String.format("day=%06d", file % directories));
    return directory.child(
        String.format("part-%06d-5b1c7b1e-6a3f-4c57-9d6e-2f0f3b9f7a10-c000.snappy.parquet", file));
  }
}
