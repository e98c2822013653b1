// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which committed attempts a job's commit makes visible.
 *
 * @param exactly these, which must all have a manifest; if empty, the last committed attempt of
 *     each task
 * @param withoutFiles attempts that were reported as committed without any file
 */
public record Selection(Optional<Set<TaskAttempt>> exactly, Set<TaskAttempt> withoutFiles) {

  public static final Selection LAST_OF_EACH_TASK = new Selection(Optional.empty(), Set.of());

  public static Selection exactly(Set<TaskAttempt> attempts) {
    return new Selection(Optional.of(Set.copyOf(attempts)), Set.of());
  }

  /** The same, which fails if one of these attempts has closed a file after all. */
  public Selection withNoFileOf(Set<TaskAttempt> attempts) {
    return new Selection(exactly, Set.copyOf(attempts));
  }

  /**
   * Compares the reports with the job's record. No RADOS operation.
   *
   * @param files of attempts that are not committed
   */
  void requireNoFiles(Job job, List<WorkFile> files) throws IOException {
    for (WorkFile file : files) {
      if (withoutFiles.contains(file.attempt()) && !file.isOpen() && !file.removed()) {
        throw new IOException(
            "cannot commit "
                + job
                + ": task attempt "
                + file.attempt()
                + " has reported that it has written no file, but the job's record '"
                + job.record().name()
                + "' has its file "
                + JobPaths.resolve(job.destination(), file.relative())
                + "; nothing was made visible. The engine must commit a task by the object of the"
                + " commit protocol that it has asked for the task's files");
      }
    }
  }
}
