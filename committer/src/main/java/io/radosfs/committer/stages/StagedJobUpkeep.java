// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import java.io.IOException;

/** {@link JobUpkeep} by the stages of this committer; found by {@link java.util.ServiceLoader}. */
public final class StagedJobUpkeep implements JobUpkeep {

  @Override
  public JobDescription describe(JobSupport fs, RegisteredJob job) throws IOException {
    return DescribeJobStage.run(of(fs, job), job);
  }

  @Override
  public Recovered recover(JobSupport fs, RegisteredJob job, Silence silence) throws IOException {
    return RecoverJobStage.run(of(fs, job), job.decision(), silence);
  }

  private static Job of(JobSupport fs, RegisteredJob job) {
    return Job.of(fs, job.destination(), job.id()).in(job.coordinator());
  }
}
