package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import java.io.IOException;
import org.apache.hadoop.fs.PathExistsException;

/**
 * Sets a job up: its destination is made where it lacks, the job registered there, its record made.
 * The registration comes first, so that no record is ever without one. May be repeated.
 *
 * <p>Cost: two writes and what {@code mkdirs} costs; one read more to fail on existing files.
 */
public final class SetupJobStage {

  private SetupJobStage() {}

  /**
   * @throws PathExistsException when the destination holds anything and the mode is FAIL
   */
  public static void run(Job job, JobInfo info, ConflictMode mode) throws IOException {
    if (mode == ConflictMode.FAIL) {
      requireEmpty(job);
    }
    job.fs().namespace().mkdirs(job.destination(), job.fs().newDirectoryAttributes());
    job.fs().transactions().register(job.registration());
    job.record().create(info);
  }

  /**
   * Sets a job up again, as after a restart of what drives it: one that has ended or is being
   * committed is left as it is, for its commit to be repeated.
   *
   * <p>Cost: one read where the job is there; else at most three more than to set it up.
   */
  public static void resume(Job job, JobInfo info) throws IOException {
    if (job.record().state().isEmpty() && ReportStage.find(job).isEmpty()) {
      run(job, info, ConflictMode.APPEND);
    }
  }

  /** Fails when the destination holds anything. One or two reads. */
  static void requireEmpty(Job job) throws IOException {
    if (job.fs().namespace().lookup(job.destination()).isPresent()
        && !job.fs().namespace().list(job.destination()).isEmpty()) {
      throw new PathExistsException(
          job.destination().toString(),
          "the destination of job "
              + job.id()
              + " holds files already, and its conflict mode is fail; nothing was changed");
    }
  }
}
