// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.AttemptRecord;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFile;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Commits an attempt of a task: its files become a manifest, in the operation that checks that the
 * job is RUNNING (I6). May be repeated; makes nothing visible. An attempt that has written no file
 * has a manifest too: whoever closes a file of it later is refused, rather than lose it. One that
 * has asked for none does not come here.
 *
 * <p>Cost: one read for each {@value JobRecord#PAGE} files, at least one; one write.
 */
public final class CommitTaskStage {

  private CommitTaskStage() {}

  /**
   * @param now milliseconds since the epoch
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted
   * @throws IOException if a file of the attempt was not closed
   */
  public static TaskCommit run(Job job, TaskAttempt id, long now) throws IOException {
    return job.fs()
        .retries()
        .run("commit of attempt " + id + " of " + job, () -> tryToCommit(job, id, now));
  }

  /** Empty if the attempt has closed or deleted files meanwhile. */
  private static Optional<TaskCommit> tryToCommit(Job job, TaskAttempt id, long now)
      throws IOException {
    AttemptRecord record = job.record().of(id);
    AttemptRecord.Contents attempt = record.contents();
    if (attempt.aborted()) {
      throw new JobEndedException(
          "attempt " + id + " of " + job + " was aborted and cannot be committed");
    }
    if (attempt.manifest().isPresent()) {
      return Optional.of(repeated(job, id, attempt));
    }
    TaskManifest manifest =
        new TaskManifest(
            job.id(), id, attempt.otherManifests(), now, promoted(job, id, attempt.files()));
    return record.commit(manifest.encode(job.destination()), attempt)
        ? Optional.of(result(manifest))
        : Optional.empty();
  }

  /** The record takes no file of a committed attempt. */
  private static TaskCommit repeated(Job job, TaskAttempt id, AttemptRecord.Contents attempt)
      throws IOException {
    return result(
        TaskManifest.decode(
            job.record().name(),
            job.destination(),
            job.id(),
            id,
            attempt.manifest().orElseThrow()));
  }

  private static List<PromotedFile> promoted(Job job, TaskAttempt id, List<WorkFile> files)
      throws IOException {
    List<PromotedFile> promoted = new ArrayList<>(files.size());
    Set<FsPath> paths = new HashSet<>();
    for (WorkFile file : files) {
      if (file.removed()) {
        continue;
      }
      FsPath path = JobPaths.resolve(job.destination(), file.relative());
      if (file.isOpen()) {
        throw new IOException(
            "cannot commit attempt "
                + id
                + " of "
                + job
                + ": its file "
                + path
                + " was never closed, or its close failed");
      }
      if (!paths.add(path)) {
        throw new IOException(
            "cannot commit attempt "
                + id
                + " of "
                + job
                + ": it has written "
                + path
                + " twice. Have the task give each file a name of its own, or delete the first one"
                + " before it writes the other");
      }
      promoted.add(new PromotedFile(path, file.closed().orElseThrow()));
    }
    return promoted;
  }

  private static TaskCommit result(TaskManifest manifest) {
    return new TaskCommit(manifest.attempt(), manifest.files().size(), manifest.bytes());
  }
}
