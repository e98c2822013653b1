// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.committer.stages.LoadManifestsStage.Loaded;
import io.radosfs.connector.store.FollowUp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job whose transaction is committed: nothing that follows fails the caller.
 *
 * @param plan with all directories in which anything was prepared
 * @param repeated whether an earlier call may have done part of the commit
 */
record CommittedJob(Job job, Loaded loaded, JobPlan plan, boolean repeated, StageLog timings) {

  private static final Logger LOG = LoggerFactory.getLogger(CommitJobStage.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  /**
   * Cleans up, and returns the result.
   *
   * @param resolved whether the transaction is resolved in the directories of the plan
   */
  JobCommit finish(boolean resolved, Supplier<Optional<SuccessReport>> report) {
    return finish(resolved, /* here= */ true, report);
  }

  /**
   * The same for a job that was found committed.
   *
   * @param report its report, where it is still known
   */
  JobCommit finishFound(Supplier<Optional<SuccessReport>> report) {
    return finish(/* resolved= */ false, /* here= */ false, report);
  }

  private JobCommit finish(
      boolean resolved, boolean here, Supplier<Optional<SuccessReport>> report) {
    FOLLOW_UP.quietly(
        job + " is committed, but not cleaned up",
        "what is left over is removed when the commit is repeated or the job is recovered",
        () -> timings.time("clean_up", () -> cleanUp(resolved)));
    LOG.info("Committed {}: {}", job, timings);
    return new JobCommit(repeated, here, reported(report));
  }

  private Optional<SuccessReport> reported(Supplier<Optional<SuccessReport>> report) {
    try {
      return report.get();
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      LOG.warn("{} is committed, but there is no report of it", job, e);
      return Optional.empty();
    }
  }

  private Void cleanUp(boolean resolved) throws IOException {
    if (!resolved) {
      job.fs().transactions().resolve(job.registration(), plan.directories());
    }
    CleanUpStage.committed(job, loaded, plan, repeated, JobWriters.MAY_LIVE);
    return null;
  }

  /** The report that is in the plan. */
  static Optional<SuccessReport> report(JobPlan plan) {
    return plan.success()
        .flatMap(file -> SuccessReport.decode(file.content().getBytes(StandardCharsets.UTF_8)));
  }
}
