// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.AttemptRecord;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFile;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.FollowUp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts an attempt of a task. First the attempt is marked, so that it can no longer write or
 * commit; then its objects are removed, then their keys in the record. May be repeated. If the job
 * is no longer RUNNING, the job's own clean-up does this.
 *
 * <p>Files that were never closed stay in the record, as their writer may be alive; the job's
 * clean-up removes their objects again.
 *
 * <p>Cost: two writes, one read for each {@value JobRecord#PAGE} files, and the removals.
 */
public final class AbortTaskStage {

  private static final Logger LOG = LoggerFactory.getLogger(AbortTaskStage.class);

  private AbortTaskStage() {}

  public static void run(Job job, TaskAttempt id) throws IOException {
    try {
      FollowUp.evenIfInterrupted(() -> abort(job, id));
    } catch (JobEndedException e) {
      LOG.info("Attempt {} of {} need not be aborted: {}", id, job, e.getMessage());
    }
  }

  private static void abort(Job job, TaskAttempt id) throws IOException {
    AttemptRecord record = job.record().of(id);
    record.abort();
    AttemptRecord.Contents attempt = record.contents();
    removeObjects(job, id, attempt);
    record.forgetAborted(attempt.files().stream().filter(file -> !file.isOpen()).toList());
  }

  private static void removeObjects(Job job, TaskAttempt id, AttemptRecord.Contents attempt)
      throws IOException {
    List<FileData> closed = new ArrayList<>();
    if (attempt.manifest().isPresent()) {
      TaskManifest manifest =
          TaskManifest.decode(
              job.record().name(), job.destination(), job.id(), id, attempt.manifest().get());
      for (PromotedFile file : manifest.files()) {
        closed.add(file.entry().data());
      }
    }
    for (WorkFile file : attempt.files()) {
      if (file.isOpen()) {
        // Looked for again by the job's clean-up, whatever is found now.
        boolean unused = job.fs().objects().removeUnfinished(file, job.record());
      } else {
        closed.add(file.data());
      }
    }
    job.fs().objects().remove(closed);
  }
}
